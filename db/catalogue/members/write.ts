import { notify } from '../../messages/notifications/write.ts';
import { assertAllowed, Refused } from '../../platform/errors.ts';
import { type Actor, whyNotProved } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { countInvitation, notifyInvited } from '../invitations/invitations.ts';
import { allOrganizationPermissions, allPermissions } from '../teams/rules.ts';
import { type LockedTeam, lockTeam, membershipOf, recordTeamChange, subjectOf } from './locked-team.ts';
import {
  type Grant,
  isAcceptedAtOnce,
  max_team_members,
  removalPermission,
  whyNotBeInvited,
  whyNotDivide,
  whyNotGrant,
  whyNotJoin,
  whyNotRegrant,
  whyNotRemove,
  whyNotSetDefaults,
  whyNotTransfer,
} from './rules.ts';
import type { Invitation, MemberEdit } from './shape.ts';
import { notifyingShares } from './shares.ts';

function assertMayGrant(team: LockedTeam, by: 'MANAGE_INVITES' | 'EDIT_MEMBER', grant: Grant): void {
  assertAllowed(whyNotGrant(team, by, grant), { permission: by });
  const permission = 'EDIT_MEMBER_DEFAULT_PERMISSIONS';
  assertAllowed(whyNotSetDefaults(team, by, grant), { permission });
}

/**
 * Invites a user into a team, who gets a notification; a member of the organization that owns the project is in at
 * once. Refuses `not_found`, `not_a_member`, `permission_missing`, `permissions_exceeded`,
 * `organization_permissions_refused`, `user_unknown`, `already_in_team`, `already_invited`,
 * `organization_owner_permissions`, `limit_reached`, as `countInvitation`, and for a share of the revenue `owner_only` and `proof_required`. Source: api-behaviours §2.
 * Gives whether they belong to it at once.
 */
export async function inviteMember(
  tx: Db,
  actor: Actor,
  team_id: string,
  { user_id, role, permissions, organization_permissions = null, payouts_split, ordering }: Invitation,
  now: Date,
): Promise<{ accepted: boolean }> {
  const team = await lockTeam(tx, team_id, actor);
  const grant = { permissions, organization_permissions };
  assertMayGrant(team, 'MANAGE_INVITES', grant);
  const [user] = await tx`select 1 from users where id = ${user_id} for key share`;
  if (!user) throw new Refused('user_unknown', { id: user_id });
  const subject = await subjectOf(tx, team, user_id);
  assertAllowed(whyNotBeInvited(subject, grant));
  if (payouts_split > 0) assertMayDivide(team, actor, now);
  await assertRoom(tx, team_id);
  const accepted = isAcceptedAtOnce(subject);
  if (!accepted) await countInvitation(tx, actor, user_id, now);
  const row = {
    team_id,
    user_id,
    role,
    permissions,
    organization_permissions: team.of === 'organization' ? (organization_permissions ?? 0) : null,
    accepted,
    payouts_split,
    ordering,
  };
  await notifyingShares(tx, team, actor.user_id, async () => {
    await tx`insert into team_members ${tx(row)}`;
  });
  await recordTeamChange(tx, team, actor, user_id);
  if (!accepted) await notifyInvitee(tx, team, { user_id, invited_by: actor.user_id, role }, now);
  return { accepted };
}

function assertMayDivide(team: LockedTeam, actor: Actor, now: Date): void {
  assertAllowed(whyNotDivide(team) ?? whyNotProved(actor, now));
}

/** Whether the member has this share already: programs send all fields back. */
async function hasShare(tx: Db, team_id: string, user_id: string, payouts_split: number): Promise<boolean> {
  const [same] = await tx`
    select 1 from team_members
    where team_id = ${team_id} and user_id = ${user_id} and payouts_split = ${payouts_split}`;
  return same !== undefined;
}

async function assertRoom(tx: Db, team_id: string): Promise<void> {
  const [row] = await tx<Array<{ members: number }>>`
    select count(*) as members from team_members where team_id = ${team_id}`;
  if (row!.members >= max_team_members) throw new Refused('limit_reached', { limit: max_team_members });
}

async function notifyInvitee(
  tx: Db,
  { id: team_id, project_id, organization_id }: LockedTeam,
  { user_id, ...invitation }: { user_id: string; invited_by: string; role: string },
  now: Date,
): Promise<void> {
  const common = { team_id, ...invitation };
  if (project_id)
    await notifyInvited(tx, user_id, { type: 'team_invite', body: { project_id, ...common } }, now);
  else if (organization_id) {
    const body = { organization_id, ...common };
    await notifyInvited(tx, user_id, { type: 'organization_invite', body }, now);
  }
}

/** Accepts the actor's invitation. Refuses `not_invited` (also without such a team), `already_in_team`. Source: api-v2 §9. */
export async function joinTeam(tx: Db, actor: Actor, team_id: string): Promise<void> {
  // an invitee sees the project, so everyone else may hear the same as for a missing team
  assertAllowed(whyNotJoin(await membershipOf(tx, team_id, actor.user_id)));
  const team = await lockTeam(tx, team_id, actor);
  assertAllowed(whyNotJoin(await membershipOf(tx, team_id, actor.user_id)));
  await notifyingShares(tx, team, actor.user_id, async () => {
    await tx`
      update team_members set accepted = true where team_id = ${team_id} and user_id = ${actor.user_id}`;
  });
  await recordTeamChange(tx, team, actor, actor.user_id);
}

/**
 * Declines the actor's invitation; a member that joined does not leave by it. Refuses `not_invited` (also without such a
 * team), `already_in_team`. Source: api-v2 §9.
 */
export async function declineInvitation(tx: Db, actor: Actor, team_id: string): Promise<void> {
  assertAllowed(whyNotJoin(await membershipOf(tx, team_id, actor.user_id)));
  const team = await lockTeam(tx, team_id, actor);
  assertAllowed(whyNotJoin(await membershipOf(tx, team_id, actor.user_id)));
  await tx`delete from team_members where team_id = ${team_id} and user_id = ${actor.user_id}`;
  await recordTeamChange(tx, team, actor, actor.user_id);
}

/**
 * Changes a member or an invitation; absent fields stay. Refuses `not_found`, `not_a_member`, `permission_missing`,
 * `permissions_exceeded`, `organization_permissions_refused`, `owner_permissions_fixed`, `organization_owner_kept`, and
 * for another share of the revenue `owner_only` and `proof_required`.
 * Source: api-behaviours §2; api-v2 §9.
 */
export async function editMember(
  tx: Db,
  actor: Actor,
  { team_id, user_id }: { team_id: string; user_id: string },
  change: MemberEdit,
  now: Date,
): Promise<void> {
  const team = await lockTeam(tx, team_id, actor);
  const { permissions = null, organization_permissions = null } = change;
  const grant = { permissions, organization_permissions };
  assertMayGrant(team, 'EDIT_MEMBER', grant);
  assertAllowed(whyNotRegrant(await subjectOf(tx, team, user_id), grant));
  if (change.payouts_split != null && !(await hasShare(tx, team_id, user_id, change.payouts_split)))
    assertMayDivide(team, actor, now);
  const columns = Object.fromEntries(Object.entries(change).filter(([, value]) => value != null));
  if (Object.keys(columns).length === 0) return;
  await notifyingShares(tx, team, actor.user_id, async () => {
    await tx`update team_members set ${tx(columns)} where team_id = ${team_id} and user_id = ${user_id}`;
  });
  await recordTeamChange(tx, team, actor, user_id);
}

/**
 * Removes a member or an invitation; by the user itself: leaves or declines. Refuses `not_found`, `not_a_member`,
 * `permission_missing`, `owner_not_removable`. Source: api-behaviours §2; api-v2 §9.
 */
export async function removeMember(
  tx: Db,
  actor: Actor,
  { team_id, user_id }: { team_id: string; user_id: string },
): Promise<void> {
  const team = await lockTeam(tx, team_id, actor);
  const member = await membershipOf(tx, team_id, user_id);
  assertAllowed(whyNotRemove(team, member, { self: user_id === actor.user_id }), {
    permission: removalPermission(member),
  });
  await notifyingShares(tx, team, actor.user_id, async () => {
    await tx`delete from team_members where team_id = ${team_id} and user_id = ${user_id}`;
  });
  await recordTeamChange(tx, team, actor, user_id);
}

/**
 * Makes an accepted member the owner, with all permissions; the former owner keeps its own. The new owner of an
 * organization leaves the teams of its projects, which would narrow its permissions there. The owners
 * of a project, former and new, hear of it by mail. Refuses `not_found`,
 * `owned_by_organization`, `owner_only`, `new_owner_not_member`. Source: api-behaviours §2, §9.
 */
export async function transferTeam(tx: Db, actor: Actor, team_id: string, user_id: string): Promise<void> {
  const team = await lockTeam(tx, team_id, actor);
  const member = await membershipOf(tx, team_id, user_id);
  const in_organization = team.of === 'project' && team.organization_id !== null;
  assertAllowed(whyNotTransfer({ ...team, in_organization }, member));
  if (member?.is_owner) return;
  const [was] = await tx<Array<{ user_id: string }>>`
    update team_members set is_owner = false where team_id = ${team_id} and is_owner returning user_id`;
  const former = was?.user_id ?? null;
  await tx`
    update team_members set is_owner = true, permissions = ${allPermissions},
      organization_permissions = ${team.of === 'organization' ? allOrganizationPermissions : null}
    where team_id = ${team_id} and user_id = ${user_id}`;
  if (team.of === 'organization') await leaveProjects(tx, team.organization_id!, user_id);
  await recordTeamChange(tx, team, actor, user_id, { owner: true });
  if (team.of === 'project') await notifyOwners(tx, actor, team, { user_id, former });
}

async function notifyOwners(
  tx: Db,
  actor: Actor,
  { project_id }: LockedTeam,
  { user_id, former }: { user_id: string; former: string | null },
): Promise<void> {
  const owners = [user_id, former].filter((id) => id !== null && id !== actor.user_id) as string[];
  const body = { project_id: project_id!, new_owner_user_id: user_id, new_owner_organization_id: null };
  await notify(tx, owners, { type: 'project_transferred', body });
}

async function leaveProjects(tx: Db, organization_id: string, user_id: string): Promise<void> {
  await tx`select 1 from projects where organization = ${organization_id} order by id for no key update`;
  await tx`
    delete from team_members where user_id = ${user_id}
      and team_id in (select team from projects where organization = ${organization_id})`;
}
