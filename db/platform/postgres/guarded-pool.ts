import type { Logger } from 'pino';
import { DatabaseWatch } from './database-watch.ts';
import { type Connect, connect, type Pool, silenceOf } from './sql.ts';
import { type SocketSource, watchedSocket } from './watched-socket.ts';

/** A statement failed because Postgres does not answer, or because no connection became free in time. */
class DatabaseUnavailable extends Error {
  readonly code: 'DATABASE_AWAY' | 'POOL_EXHAUSTED';

  constructor(code: 'DATABASE_AWAY' | 'POOL_EXHAUSTED') {
    super(code === 'DATABASE_AWAY' ? 'Postgres does not answer' : 'No connection became free in time');
    this.code = code;
  }
}

/** A statement of the driver: it runs when it is awaited; one inside another is a fragment and never is. */
interface Statement {
  executed: boolean;
  /** Null until a connection has it. */
  state: unknown;
  strings: readonly string[];
  args: unknown[];
  cursorFn?: unknown;
  forEachFn?: unknown;
  handle(): unknown;
  resolve(value: unknown): void;
  reject(error: Error): void;
}
const isStatement = (value: unknown): value is Statement =>
  value !== null && typeof value === 'object' && 'executed' in value && 'handle' in value;

/** Something that waits for Postgres. */
interface Waiting {
  began_at: number;
  /** Whether it waits for a connection. */
  isQueued(): boolean;
  fail(error: Error): void;
}

const sweep_ms = 500;
/** How long a statement or transaction may wait for a connection while Postgres answers. */
const queue_ms = 10_000;
const nothing = Object.assign(['select 1'], { raw: ['select 1'] });

/** Opens a pool whose server is watched, and in which nothing waits while the server is away (`guardPool`). */
export function connectGuarded(
  options: Connect & { statement_timeout_ms: number },
  log: Logger,
): { sql: Pool; watch: DatabaseWatch } {
  const watch = new DatabaseWatch(log);
  const silence_ms = silenceOf(options.statement_timeout_ms);
  const sockets = watchedSocket(silence_ms, { heard: () => watch.heard() });
  const pool = connect({ ...options, sockets });
  watch.start(pool);
  return { sql: guardPool(pool, watch, sockets), watch };
}

/**
 * A pool like `pool` in which nothing waits for a Postgres that is away: when `watch` says so, every statement,
 * transaction and reservation that waits for a connection or an answer fails with the code `DATABASE_AWAY`, the
 * connections of `sockets` are destroyed, and new ones fail at once until Postgres answers again. What was given up
 * never runs later. While Postgres answers, waiting for a connection ends after ten seconds with `POOL_EXHAUSTED`; how
 * long a statement may take is left to the server (`statement_timeout`).
 */
function guardPool(pool: Pool, watch: DatabaseWatch, sockets: SocketSource): Pool {
  const waiting = new Set<Waiting>();
  const isAway = () => watch.awaySince() !== null;
  watch.onAway(() => {
    const error = new DatabaseUnavailable('DATABASE_AWAY');
    for (const one of [...waiting]) one.fail(error);
    sockets.destroyAll();
  });
  setInterval(() => {
    const latest = performance.now() - queue_ms;
    for (const one of [...waiting])
      if (one.began_at < latest && one.isQueued()) one.fail(new DatabaseUnavailable('POOL_EXHAUSTED'));
  }, sweep_ms).unref();

  function guardStatement<T>(made: T): T {
    if (!isStatement(made)) return made;
    const run = made.handle.bind(made);
    made.handle = () => {
      if (made.executed) return run();
      const { resolve, reject } = made;
      const one: Waiting = {
        began_at: performance.now(),
        isQueued: () => made.state === null,
        fail: (error) => {
          made.reject(error);
          if (made.state === null) defuse(made);
        },
      };
      if (isAway()) {
        made.executed = true;
        reject(new DatabaseUnavailable('DATABASE_AWAY'));
        return;
      }
      waiting.add(one);
      made.resolve = (value) => {
        waiting.delete(one);
        resolve(value);
      };
      made.reject = (error) => {
        waiting.delete(one);
        reject(error);
      };
      return run();
    };
    return made;
  }

  /** `begin` and `reserve`: `take` gets a function that throws when the caller was told that it failed. */
  async function guardConnection<T>(take: (assertWanted: () => void) => Promise<T>): Promise<T> {
    if (isAway()) throw new DatabaseUnavailable('DATABASE_AWAY');
    const failed = Promise.withResolvers<never>();
    let given_up: Error | null = null;
    let has_connection = false;
    const one: Waiting = {
      began_at: performance.now(),
      isQueued: () => !has_connection,
      fail: (error) => {
        given_up = error;
        failed.reject(error);
      },
    };
    waiting.add(one);
    const assertWanted = () => {
      has_connection = true;
      if (given_up) throw given_up;
    };
    return await Promise.race([take(assertWanted), failed.promise]).finally(() => waiting.delete(one));
  }

  const begin = (...given: unknown[]) =>
    guardConnection((assertWanted) => {
      const work = given.at(-1) as (tx: unknown) => unknown;
      const guarded = (tx: unknown) => {
        assertWanted();
        return work(tx);
      };
      return (pool.begin as (...args: unknown[]) => Promise<unknown>)(...given.slice(0, -1), guarded);
    });
  const reserve = () =>
    guardConnection(async (assertWanted) => {
      const connection = await pool.reserve();
      try {
        assertWanted();
      } catch (error) {
        connection.release();
        throw error;
      }
      return connection;
    });
  const { unsafe: written } = pool;
  const unsafe = (...given: Parameters<Pool['unsafe']>) => guardStatement(written(...given));
  const replaced = new Map<string | symbol, unknown>(Object.entries({ begin, reserve, unsafe }));

  return new Proxy(pool, {
    apply: (target, that, given) => guardStatement(Reflect.apply(target as never, that, given)),
    get: (target, name) => replaced.get(name) ?? Reflect.get(target, name),
  });
}

/** Makes a statement that the driver may still run later harmless: its caller was told that it failed. */
function defuse(statement: Statement): void {
  Object.assign(statement, { strings: nothing, args: [], cursorFn: null, forEachFn: null });
}
