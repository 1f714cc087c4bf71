import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { type ProjectRef, refColumns } from './pages.ts';
import { visibleProjects } from './read.ts';
import { type Status, whyNotListProject } from './rules.ts';

/** Maximum projects in a user's list; beyond it the most downloaded are shown. */
const max_user_projects = 1000;

/**
 * Projects of the user's teams, most downloaded first: the searchable ones, and the others for their members and for
 * moderators. Source: api-behaviours §4 (user project list).
 */
export async function refsOfUser(db: Db, user_id: string, viewer: Actor | null): Promise<ProjectRef[]> {
  const refs = await db<Array<ProjectRef & { status: Status }>>`
    select p.status, ${refColumns(db)} from projects p
    where p.team in (select team_id from team_members where user_id = ${user_id} and accepted)
    order by p.downloads desc, p.id limit ${max_user_projects}`;
  return await visibleProjects(db, refs, viewer, whyNotListProject);
}
