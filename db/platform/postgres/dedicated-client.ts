import pg from 'pg';
import type { Pool } from './sql.ts';

interface Options {
  /** In Postgres, after `cairn`. */
  name: string;
  connect_timeout_ms: number;
  query_timeout_ms: number;
}

const end_ms = 500;

/**
 * A connection of its own to the server of a pool, not yet open: postgres.js does not report when a connection is lost,
 * and waits for its answers without a limit.
 */
export function dedicatedClient(
  sql: Pool,
  { name, connect_timeout_ms, query_timeout_ms }: Options,
): pg.Client {
  const { host, port, database, user, pass, ssl } = sql.options as unknown as Record<string, unknown> & {
    host: string[];
    port: number[];
  };
  return new pg.Client({
    host: host[0],
    port: port[0],
    database,
    user,
    ...(pass ? { password: pass } : {}),
    ...(ssl ? { ssl: tlsOf(ssl) } : {}),
    application_name: `cairn ${name}`,
    connectionTimeoutMillis: connect_timeout_ms,
    query_timeout: query_timeout_ms,
  } as pg.ClientConfig);
}

/** What postgres.js does with this `sslmode`, in the words of the other driver: only `verify-full` checks certificates. */
const tlsOf = (ssl: unknown) => {
  if (typeof ssl === 'object') return ssl;
  return ssl === true || ssl === 'verify-full' ? true : { rejectUnauthorized: false };
};

/** Closes the connection; a server that hangs never closes its side, so the socket is destroyed after half a second. */
export async function endClient(client: pg.Client): Promise<void> {
  const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } }).connection;
  const timer = setTimeout(() => stream.destroy(), end_ms);
  await client.end().catch(() => {});
  clearTimeout(timer);
}
