import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { type ProjectRef, refColumns } from '../projects/pages.ts';
import { visibleProjects } from '../projects/read.ts';
import type { Status } from '../projects/rules.ts';

/** Which of these projects the user follows. */
export async function followedAmong(
  db: Db,
  user_id: string,
  project_ids: readonly string[],
): Promise<string[]> {
  if (project_ids.length === 0) return [];
  const rows = await db<Array<{ project_id: string }>>`
    select project_id from follows where user_id = ${user_id} and project_id = any(${project_ids as string[]})`;
  return rows.map(({ project_id }) => project_id);
}

/** Maximum projects in a list of follows, which the API returns without paging. */
const max_follows = 1000;

/**
 * Projects the user follows and `viewer` may see, last followed first. Following grants no visibility: a project that
 * was hidden later is left out. Source: api-v2 §7 (GET user/follows); api-behaviours §10.
 */
export async function refsOf(db: Db, user_id: string, viewer: Actor | null): Promise<ProjectRef[]> {
  const refs = await db<Array<ProjectRef & { status: Status }>>`
    select p.status, ${refColumns(db)} from projects p join follows f on f.project_id = p.id
    where f.user_id = ${user_id} order by f.created desc, p.id limit ${max_follows}`;
  return await visibleProjects(db, refs, viewer);
}

/** Ids of the projects a user follows, the newest follow first, at most `limit`. */
export async function followedIds(db: Db, user_id: string, limit: number): Promise<string[]> {
  const rows = await db<{ project_id: string }[]>`
    select project_id from follows where user_id = ${user_id} order by created desc limit ${limit}`;
  return rows.map(({ project_id }) => project_id);
}
