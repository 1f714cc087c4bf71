import type { Db } from './sql.ts';

/** Deletes expired counters of rate limits and downloads. Gives the number of each. */
export async function deleteExpiredCounters(db: Db): Promise<{ limits: number; windows: number }> {
  const { count: limits } = await db`delete from rate_limits where arrival < now()`;
  const { count: windows } = await db`delete from download_windows where until < now()`;
  return { limits, windows };
}
