import { notify } from '../../messages/notifications/write.ts';
import { assertAllowed } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { type LockedProject, lockProject } from '../projects/locked.ts';
import type { Membership } from '../teams/rules.ts';
import { handOver } from './hand-over.ts';
import { whyNotAddProject, whyNotRemoveProject } from './rules.ts';
import { lockOrganization } from './write.ts';

/**
 * Gives a project to an organization: its owner and the organization's owner leave its team, because both own it
 * through the organization now. Refuses `not_found`, `project_unknown`, `already_in_organization`,
 * `both_teams_required`, `owner_only`, `permission_missing`. Source: api-behaviours §2.
 */
export async function addProject(
  tx: Db,
  actor: Actor,
  { organization_id, project_id }: { organization_id: string; project_id: string },
): Promise<void> {
  const organization = await lockOrganization(tx, organization_id, actor);
  const project = await lockProject(tx, project_id, actor, 'project_unknown');
  const adding = {
    role: actor.role,
    project: project.access.project,
    organization: organization.access.organization,
    owned: project.organization !== null,
  };
  assertAllowed(whyNotAddProject(adding), { permission: 'ADD_PROJECT' });
  const left = await tx<Array<{ user_id: string }>>`
    delete from team_members where team_id = ${project.team} and (is_owner or user_id = (
      select user_id from team_members where team_id = ${organization.team_id} and is_owner))
    returning user_id`;
  await tx`update projects set organization = ${organization_id} where id = ${project_id}`;
  await recordMove(tx, actor, { organization_id, project, user_id: left[0]?.user_id ?? actor.user_id });
  const owners = left.flatMap(({ user_id }) => (user_id === actor.user_id ? [] : [user_id]));
  const body = { project_id, new_owner_user_id: null, new_owner_organization_id: organization_id };
  await notify(tx, owners, { type: 'project_transferred', body });
}

/**
 * Takes a project out of an organization for one of its members, who becomes the owner. Refuses `not_found`,
 * `project_unknown`, `not_a_member`, `permission_missing`, `not_in_organization`, `new_owner_not_member`. Source:
 * api-behaviours §2.
 */
export async function removeProject(
  tx: Db,
  actor: Actor,
  {
    organization_id,
    project_id,
    new_owner,
  }: { organization_id: string; project_id: string; new_owner: string },
): Promise<void> {
  const organization = await lockOrganization(tx, organization_id, actor);
  const project = await lockProject(tx, project_id, actor, 'project_unknown');
  const [row] = await tx<Membership[]>`
    select is_owner, accepted, permissions, organization_permissions from team_members
    where team_id = ${organization.team_id} and user_id = ${new_owner}`;
  const removal = { owned: project.organization === organization_id, new_owner: row ?? null };
  assertAllowed(whyNotRemoveProject(organization.access, removal), { permission: 'REMOVE_PROJECT' });
  await handOver(tx, [project_id], new_owner);
  await recordMove(tx, actor, { organization_id, project, user_id: new_owner });
  if (new_owner === actor.user_id) return;
  const body = { project_id, new_owner_user_id: new_owner, new_owner_organization_id: null };
  await notify(tx, [new_owner], { type: 'project_transferred', body });
}

/** The author of the project changed: its pages, its document in search, and the profile of who lost or got it. */
async function recordMove(
  tx: Db,
  actor: Actor,
  { organization_id, project, user_id }: { organization_id: string; project: LockedProject; user_id: string },
): Promise<void> {
  await recordEvent(tx, {
    name: 'organization.edited',
    actor_id: actor.user_id,
    organization_id,
    project_id: project.id,
    user_id,
    data: { project_ids: [project.id] },
  });
}
