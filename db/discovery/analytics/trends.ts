import type { Db } from '../../platform/postgres/sql.ts';

/** How long it takes until a download weighs half. */
const half_life_d = 7;
/** Older downloads weigh next to nothing. */
const days = 35;

/**
 * Ids of the searchable projects that are downloaded most these days, the first ones first: a download of a week ago weighs
 * half as much as one of today. Those without downloads of their own follow by their totals, so that a new installation
 * has some too. One statement over the sums of five weeks.
 */
export async function trendingProjects(db: Db, limit: number, now: Date): Promise<string[]> {
  const rows = await db<Array<{ id: string }>>`
    with recent as (
      select project_id, sum(amount * 0.5 ^ ((${now}::date - day) / ${half_life_d}::float)) as weight
      from analytics_totals where kind = 'download' and day > ${now}::date - ${days}::int and day <= ${now}::date group by 1
    )
    select p.id from projects p left join recent r on r.project_id = p.id
    where p.status = 'approved' and not p.archived
    order by r.weight desc nulls last, p.downloads desc, p.id limit ${limit}`;
  return rows.map(({ id }) => id);
}
