import type { Db } from '../../platform/postgres/sql.ts';

/** How many days are shown: whole ones in UTC, today not among them. */
const days = 30;

/** Downloads of a project by day, the oldest day first. */
export interface RecentDownloads {
  amounts: number[];
  sum: number;
}

/**
 * The downloads of the last 30 days, for everybody; null unless the project wants them shown, and when there were none. One
 * statement by the primary key of the sums.
 */
export async function recentDownloads(
  db: Db,
  project_id: string,
  now: Date,
): Promise<RecentDownloads | null> {
  const rows = await db<Array<{ amount: number }>>`
    select coalesce(t.amount, 0)::bigint as amount
    from generate_series(1, ${days}) as ago
    join projects p on p.id = ${project_id} and p.shows_downloads
    left join analytics_totals t on t.project_id = p.id and t.kind = 'download'
      and t.day = (${now}::timestamptz at time zone 'UTC')::date - ago
    order by ago desc`;
  const amounts = rows.map(({ amount }) => amount);
  const sum = amounts.reduce((total, amount) => total + amount, 0);
  return sum > 0 ? { amounts, sum } : null;
}
