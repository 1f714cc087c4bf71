import type { Db } from '../../../platform/postgres/sql.ts';

/** Projects that are told apart; what the others earned is a sum. */
export const maxEarningProjects = 500;

/** What somebody earned, in millionths of a dollar. */
export interface Earned {
  /** Of days on which there was anything, by their number from 0. */
  days: Array<{ day: number; micros: number }>;
  /** Of at most 500 projects, the most first. */
  projects: Array<{ project_id: string; micros: number }>;
  /** Of all further projects. */
  others_micros: number;
}

/**
 * What a person earned by all projects from the first day (`2026-11-01`, UTC) on, for `count` days: sums, so it is small for
 * any number of projects.
 */
export async function earnedBy(db: Db, user_id: string, first: string, count: number): Promise<Earned> {
  const mine = () => db`
    from revenue_divisions d join revenue_shares s on s.division_id = d.id and s.user_id = ${user_id}
    where d.day >= ${first}::date and d.day < ${first}::date + ${count}::int`;
  const [days, projects] = await Promise.all([
    db<Earned['days']>`
      select d.day - ${first}::date as day, sum(s.amount_micros)::bigint as micros ${mine()}
      group by d.day order by d.day`,
    db<Earned['projects']>`
      select s.project_id, sum(s.amount_micros)::bigint as micros ${mine()}
      group by s.project_id order by 2 desc, 1 limit ${maxEarningProjects}`,
  ]);
  const sum = (rows: ReadonlyArray<{ micros: number }>) =>
    rows.reduce((total, { micros }) => total + micros, 0);
  return { days, projects, others_micros: Math.max(sum(days) - sum(projects), 0) };
}
