import type { Db } from '../sql.ts';

/** Jobs that are enqueued and not taken yet. */
export async function countWaitingJobs(db: Db): Promise<number> {
  const [row] = await db`select count(*)::int as waiting from pgboss.job where state in ('created', 'retry')`;
  return row?.waiting ?? 0;
}
