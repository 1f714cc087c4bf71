import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { type ProjectRef, refColumns } from '../projects/pages.ts';
import { visibleProjects } from '../projects/read.ts';
import { type Status, whyNotListProject } from '../projects/rules.ts';

/** Maximum projects in one answer; beyond it the most downloaded are shown. */
const max_projects = 5000;

/** A project of a list before it is fetched, with the organization that owns it. */
export interface OwnedProjectRef extends ProjectRef {
  organization: string | null;
}

/**
 * The projects of an organization, most downloaded first: the searchable ones, and the others for their members and
 * for moderators. Source: api-v3 §3.9; api-behaviours §4.
 */
export async function projectsOfOrganization(
  db: Db,
  organization_id: string,
  actor: Actor | null,
): Promise<OwnedProjectRef[]> {
  const refs = await db<Array<OwnedProjectRef & { status: Status }>>`
    select p.status, p.organization, ${refColumns(db)} from projects p where p.organization = ${organization_id}
    order by p.downloads desc, p.id limit ${max_projects}`;
  return await visibleProjects(db, refs, actor, whyNotListProject);
}

/**
 * The projects of the user's teams and of the user's organizations, most downloaded first, as far as the actor may see
 * them listed. Source: api-v3 §3.7.
 */
export async function allProjectsOfUser(
  db: Db,
  user_id: string,
  actor: Actor | null,
): Promise<OwnedProjectRef[]> {
  const refs = await db<Array<OwnedProjectRef & { status: Status }>>`
    with joined as (select team_id from team_members where user_id = ${user_id} and accepted)
    select p.status, p.organization, ${refColumns(db)} from projects p
    where p.team in (select team_id from joined)
      or p.organization in (select id from organizations where team_id in (select team_id from joined))
    order by p.downloads desc, p.id limit ${max_projects}`;
  return await visibleProjects(db, refs, actor, whyNotListProject);
}
