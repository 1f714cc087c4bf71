import type { Db } from '../../platform/postgres/sql.ts';
import { memoizeFor } from '../../platform/runtime/memoize.ts';

/** What a whole site counted in a month in UTC. */
export interface SiteMonth {
  /** Its first day, such as `2026-11-01`. */
  month: string;
  downloads: number;
  views: number;
}

/** How many months are told, the one that goes on included. */
const months = 13;

/**
 * Downloads and views of all projects by month, the latest first; months without any are left out. Cached for ten minutes:
 * it adds up the days of every project.
 */
export const siteMonths = memoizeFor(
  600_000,
  async (db: Db): Promise<SiteMonth[]> =>
    await db<SiteMonth[]>`
    select to_char(date_trunc('month', day), 'YYYY-MM-DD') as month,
      coalesce(sum(amount) filter (where kind = 'download'), 0)::bigint as downloads,
      coalesce(sum(amount) filter (where kind = 'view'), 0)::bigint as views
    from analytics_totals
    where kind in ('download', 'view') and day >= date_trunc('month', now())::date - ${`${months - 1} months`}::interval
    group by 1 order by 1 desc`,
);
