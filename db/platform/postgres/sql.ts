import postgres from 'postgres';
import { socketConnection } from './connection.ts';
import { type SocketSource, watchedSocket } from './watched-socket.ts';

/** The pool or a transaction; the first argument of every read and write, or part of it (`ReadContext`). */
export type Db = postgres.ISql<Record<never, never>>;
export type Pool = postgres.Sql<Record<never, never>>;
/** A transaction in which a part can be taken back: `savepoint`. */
export type Transaction = postgres.TransactionSql<Record<never, never>>;

export interface Connect {
  /** `postgres://` URL, or an address of the embedded server (`socketConnection`). */
  address: string;
  database?: string;
  max?: number;
  application?: string;
  /**
   * Timeouts for processes that serve requests: a statement is cancelled after this many milliseconds, an idle
   * transaction after twice that, and a connection whose server is silent for 5 s longer is destroyed; a connection has
   * 1.5 s to open. No timeout if omitted.
   */
  statement_timeout_ms?: number;
  /**
   * A transaction that does nothing for so long is ended by the server, and releases what it locks: its process may be
   * stopped or cut off. Twice `statement_timeout_ms`, or never, if omitted.
   */
  idle_transaction_ms?: number;
  /** Creates the sockets; by default ones that notice a silent server, with `statement_timeout_ms`. */
  sockets?: SocketSource;
}

/**
 * Opens a pool. int8 and numeric columns used as counts arrive as numbers (all below 2^53), timestamps as RFC 3339
 * text in UTC, so that rows can be returned as JSON unchanged.
 */
export function connect({
  address,
  database,
  max = 10,
  application = 'cairn',
  statement_timeout_ms,
  idle_transaction_ms = statement_timeout_ms && 2 * statement_timeout_ms,
  sockets = statement_timeout_ms ? watchedSocket(silenceOf(statement_timeout_ms)) : undefined,
}: Connect): Pool {
  const options: postgres.Options<Record<string, postgres.PostgresType>> = {
    max,
    onnotice: () => {},
    connect_timeout: statement_timeout_ms ? 1.5 : 5,
    backoff: () => 0.25, // queries wait for the reconnect; the driver's own backoff grows to 20 s
    connection: {
      application_name: application,
      // compiling a query takes longer than running it does: what is asked here is short
      jit: 'off',
      TimeZone: 'UTC',
      ...(statement_timeout_ms && { statement_timeout: statement_timeout_ms }),
      ...(idle_transaction_ms && { idle_in_transaction_session_timeout: idle_transaction_ms }),
    },
    ...(sockets && { socket: sockets }),
    types: {
      bigint: { to: 20, from: [20], parse: Number, serialize: String },
      date: {
        to: 1184,
        from: [1082, 1114, 1184],
        serialize: (value: unknown) => (value instanceof Date ? value.toISOString() : String(value)),
        parse: toInstant,
      },
    },
  };
  const socket = socketConnection(address);
  const sql = socket
    ? postgres({
        ...options,
        ...{ host: socket.folder, database: database ?? 'cairn' },
        ...{ username: socket.role, password: socket.password },
      })
    : postgres(address, database ? { ...options, database } : options);
  return sql as unknown as Pool;
}

/**
 * One connection of its own beside the pool, for what ends with a session, such as its advisory locks; `onClosed` is told when it is
 * closed or lost; `parameters` are set on the server. The caller ends it.
 */
export function privateConnection(
  sql: Pool,
  onClosed: () => void,
  parameters: Record<string, string | number> = {},
): Pool {
  const options = sql.options as unknown as postgres.Options<Record<string, postgres.PostgresType>>;
  return postgres({
    ...options,
    ...{ max: 1, idle_timeout: 0, max_lifetime: null, fetch_types: false, onclose: onClosed },
    connection: { ...options.connection, ...parameters },
  }) as unknown as Pool;
}

/**
 * How long a server may be silent after a request, in milliseconds: it enforces the timeout of statements itself, so
 * only one that hangs is silent for longer.
 */
export const silenceOf = (statement_timeout_ms: number): number => statement_timeout_ms + 5_000;

/** Converts a Postgres timestamp to RFC 3339 in UTC: `2023-02-05 19:39:55.55+00` -> `2023-02-05T19:39:55.55Z`. */
function toInstant(text: string): string {
  if (text.length === 10) return text;
  return `${text.replace(' ', 'T').replace(/\+00(:00)?$/, '')}Z`;
}

/** Name of the violated constraint if `error` is a unique violation, else null. */
export function violatedConstraint(error: unknown): string | null {
  const cause = error as { code?: string; constraint_name?: string };
  return cause?.code === '23505' ? (cause.constraint_name ?? null) : null;
}
