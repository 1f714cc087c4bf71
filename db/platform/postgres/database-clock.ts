import type { Logger } from 'pino';
import type { Pool } from './sql.ts';

const interval_ms = 10_000;

/**
 * The time of the database, which processes on several machines agree on whatever their own clocks say: asked at once and
 * then every 10 s, and counted on between by a clock that nobody sets.
 */
export async function openDatabaseClock(sql: Pool, log: Logger): Promise<{ now(): Date; close(): void }> {
  /** The time of the database when `performance.now` was 0. */
  let origin_ms = 0;
  const ask = async () => {
    const sent = performance.now();
    const [row] = await sql<
      [{ ms: number }]
    >`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`;
    origin_ms = row.ms - (sent + performance.now()) / 2;
  };
  await ask();
  const difference_s = Math.round((origin_ms + performance.now() - Date.now()) / 1000);
  if (Math.abs(difference_s) > 5)
    log.warn({ difference_s }, 'The clock of this machine differs from that of the database, which counts');
  let isAsking = false;
  const timer = setInterval(() => {
    if (isAsking) return;
    isAsking = true;
    ask()
      .catch(() => {}) // away: it counts on
      .finally(() => {
        isAsking = false;
      });
  }, interval_ms).unref();
  return { now: () => new Date(origin_ms + performance.now()), close: () => clearInterval(timer) };
}
