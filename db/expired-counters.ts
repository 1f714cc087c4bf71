import type { Db } from './sql.ts';

/** Deletes counters whose windows are over: of rate limits and of downloads. Gives how many of each. */
export async function deleteExpiredCounters(db: Db): Promise<{ limits: number; windows: number }> {
  const { count: limits } = await db`delete from rate_limits where arrival < now()`;
  const { count: windows } = await db`delete from download_windows where until < now()`;
  return { limits, windows };
}
