import { type ProjectRow, selectRows } from '../projects/row.ts';
import type { Db } from '../sql.ts';

/** Which of these projects the user follows. */
export async function among(db: Db, user_id: string, project_ids: readonly string[]): Promise<string[]> {
  if (project_ids.length === 0) return [];
  const rows = await db<Array<{ project_id: string }>>`
    select project_id from follows where user_id = ${user_id} and project_id = any(${project_ids as string[]})`;
  return rows.map(({ project_id }) => project_id);
}

/** Most projects in a list of follows, which the API gives in one piece. */
const most = 1000;

/** What the user follows, last followed first, also what was hidden since. Source: api-v2 §7 (GET user/follows). */
export async function rowsOf(db: Db, user_id: string): Promise<ProjectRow[]> {
  return await db<ProjectRow[]>`
    ${selectRows(db)} join follows f on f.project_id = p.id
    where f.user_id = ${user_id} order by f.created desc, p.id limit ${most}`;
}
