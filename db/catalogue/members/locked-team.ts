import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { accessToOrganization } from '../organizations/access.ts';
import { visibilityColumns } from '../organizations/read.ts';
import { type Visibility, whyNotSeeOrganization } from '../organizations/rules.ts';
import { type Status, whyNotSeeProject } from '../projects/rules.ts';
import { accessTo } from '../teams/access.ts';
import { anonymous, type Membership } from '../teams/rules.ts';
import type { Subject, Team } from './rules.ts';

/** What writes need to know of a team, with its project or organization locked until the commit. */
export interface LockedTeam extends Team {
  id: string;
  /** The project of the team; null for the team of an organization. */
  project_id: string | null;
  /** The organization of the team, or the one that owns the project. */
  organization_id: string | null;
}

/**
 * Locks a team for a change by the actor. Refuses `not_found`, also for teams of projects and organizations that are
 * hidden from the actor.
 */
export async function lockTeam(tx: Db, team_id: string, actor: Actor): Promise<LockedTeam> {
  const [project] = await tx<Array<{ id: string; organization: string | null; status: Status }>>`
    select id, organization, status from projects where team = ${team_id} for no key update`;
  if (project) {
    const access = await accessTo(tx, project.id, actor);
    assertAllowed(whyNotSeeProject(project.status, access), { id: team_id });
    const { id: project_id, organization: organization_id } = project;
    return { id: team_id, of: 'project', project_id, organization_id, access };
  }
  const [organization] = await tx<Array<Visibility & { id: string }>>`
    select o.id, ${visibilityColumns(tx, actor)} from organizations o
    where o.team_id = ${team_id} for no key update of o`;
  if (!organization) throw new Refused('not_found', { id: team_id });
  assertAllowed(whyNotSeeOrganization(organization, actor), { id: team_id });
  const access = (await accessToOrganization(tx, organization.id, actor)) ?? anonymous;
  return { id: team_id, of: 'organization', project_id: null, organization_id: organization.id, access };
}

/** The row of a user in a team, pending or not. */
export async function membershipOf(tx: Db, team_id: string, user_id: string): Promise<Membership | null> {
  const [row] = await tx<Membership[]>`
    select is_owner, accepted, permissions, organization_permissions
    from team_members where team_id = ${team_id} and user_id = ${user_id}`;
  return row ?? null;
}

/** The user's rows in the team and in that of the organization that owns its project. */
export async function subjectOf(tx: Db, team: LockedTeam, user_id: string): Promise<Subject> {
  const member = await membershipOf(tx, team.id, user_id);
  if (team.of === 'organization' || team.organization_id === null) return { member, organization: null };
  const [owning] = await tx<Array<{ team_id: string }>>`
    select team_id from organizations where id = ${team.organization_id}`;
  return { member, organization: owning ? await membershipOf(tx, owning.team_id, user_id) : null };
}

/** Records a change of the team around `user_id`, whose profile may show it; `owner`: this is its new owner. */
export const recordTeamChange = async (
  tx: Db,
  { id, of, project_id, organization_id }: LockedTeam,
  actor: Actor,
  user_id: string,
  { owner = false } = {},
): Promise<void> =>
  await recordEvent(tx, {
    name: 'team.changed',
    actor_id: actor.user_id,
    team_id: id,
    user_id,
    project_id,
    organization_id: of === 'organization' ? organization_id : null,
    data: { owner },
  });
