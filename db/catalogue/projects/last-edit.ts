import type { Db } from '../../platform/postgres/sql.ts';

/** Who changed a project last, and when; null for a user who is gone, or a change by the site. */
export interface LastEdit {
  by: string | null;
  at: string;
}

/**
 * The last edit of a project by a member or moderator, of one of `columns` when any are given; null when it is older than
 * the events that are kept. Only for those who may edit: it names people.
 */
export async function lastEdit(
  db: Db,
  project_id: string,
  columns: readonly string[] = [],
): Promise<LastEdit | null> {
  const [row] = await db<LastEdit[]>`
    select u.username as by, e.created as at from events e left join users u on u.id = e.actor_id
    where e.project_id = ${project_id} and (
      (e.name = 'project.edited' and (${columns.length === 0} or e.data->'fields' ?| ${columns as string[]}::text[]))
      or (e.name = 'project.moved' and (${columns.length === 0} or 'status' = any(${columns as string[]}::text[])))
      or (e.name like 'version.%' and 'environments' = any(${columns as string[]}::text[])))
    order by e.id desc limit 1`;
  return row ?? null;
}
