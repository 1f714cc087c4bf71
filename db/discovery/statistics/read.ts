import type { Db } from '../../platform/postgres/sql.ts';
import { memoizeFor } from '../../platform/runtime/memoize.ts';

/** Totals of all searchable projects. */
export interface SiteTotals {
  projects: number;
  downloads: number;
  /** Members of their teams, or of the organizations that own them. */
  people: number;
}

/** Scans the whole catalogue; callers cache the result. */
export async function siteTotals(db: Db): Promise<SiteTotals> {
  const [row] = await db<[SiteTotals]>`
    with shown as (select team, organization, downloads from projects where status = 'approved')
    select (select count(*) from shown) as projects,
      (select coalesce(sum(downloads), 0)::bigint from shown) as downloads,
      (select count(distinct user_id) from team_members where accepted and team_id in (
        select team from shown
        union select o.team_id from organizations o where o.id in (select organization from shown)
      )) as people`;
  return row;
}

export type Statistics = Record<'projects' | 'versions' | 'authors' | 'files', number>;

/**
 * Searchable projects, their listed versions, their team members and their files. Cached for up to half a minute,
 * because counting is expensive. Source: api-v2 §11.
 */
export const statistics = memoizeFor(
  30_000,
  async (db: Db): Promise<Statistics> => {
    const [row] = await db<Statistics[]>`
      with shown as (select id, team from projects where status = 'approved'),
        listed as (select v.id from versions v join shown p on p.id = v.project_id where v.status = 'listed')
      select
        (select count(*) from shown) as projects,
        (select count(*) from listed) as versions,
        (select count(distinct user_id) from team_members m join shown p on p.team = m.team_id where m.accepted) as authors,
        (select count(*) from files f join listed v on v.id = f.version_id) as files`;
    return row as Statistics;
  },
  { keyOf: () => 'all', isEmpty: ({ projects }) => projects === 0 },
);
