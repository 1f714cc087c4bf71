import type { Db } from '../../platform/postgres/sql.ts';
import type { TakedownKind } from './rules.ts';

/** What was done in a calendar year (UTC), for everybody to see. */
export interface YearOfTakedowns {
  year: number;
  kind: TakedownKind;
  placed: number;
  /** Of those placed in this year: answered by a counter-notice, restored, still in force. */
  answered: number;
  restored: number;
  in_force: number;
}

/** Takedowns by year and kind, newest year first; at most 20 years. */
export async function takedownCounts(db: Db): Promise<YearOfTakedowns[]> {
  return await db<YearOfTakedowns[]>`
    select extract(year from placed at time zone 'UTC')::int as year, kind,
      count(*)::int as placed, count(counter_notice)::int as answered, count(ended)::int as restored,
      count(*) filter (where ended is null and project_id is not null)::int as in_force
    from takedowns group by 1, 2 order by 1 desc, 2 limit 100`;
}

/** Reports in a calendar year (UTC). */
export interface YearOfReports {
  year: number;
  received: number;
  closed: number;
}

/** Reports by year, newest first; at most 20 years. */
export async function reportCounts(db: Db): Promise<YearOfReports[]> {
  return await db<YearOfReports[]>`
    select extract(year from created at time zone 'UTC')::int as year, count(*)::int as received,
      count(*) filter (where closed)::int as closed
    from reports group by 1 order by 1 desc limit 20`;
}
