import type { Db } from '../postgres/sql.ts';

/** Number of enqueued jobs that no worker has started. */
export async function countWaitingJobs(db: Db): Promise<number> {
  const [row] = await db`select count(*)::int as waiting from pgboss.job where state in ('created', 'retry')`;
  return row?.waiting ?? 0;
}
