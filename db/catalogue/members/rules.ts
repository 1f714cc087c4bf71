import type { RefusalCode } from '../../platform/errors.ts';
import {
  type Access,
  allPermissions,
  type Membership,
  organizationPermissionsOf,
  permissionsOf,
  whyNotActInOrganization,
  whyNotActInTeam,
} from '../teams/rules.ts';

/** The team of a project or of an organization, and the actor's access to it. */
export interface Team {
  of: 'project' | 'organization';
  access: Access;
}

/** Permissions that a request gives to a member; null where it says nothing. */
export interface Grant {
  permissions: number | null;
  organization_permissions: number | null;
}

/** The user whom a change of a team is about: the row in the team, and in that of the owning organization. */
export interface Subject {
  member: Membership | null;
  /** The row in the team of the organization that owns the project; null for the team of an organization. */
  organization: Membership | null;
}

/** Maximum rows of a team, so that one answer holds them all. */
export const max_team_members = 500;

export type TeamPermission = 'MANAGE_INVITES' | 'REMOVE_MEMBER' | 'EDIT_MEMBER';

/** Why the actor may not use `permission`, which both sets have, in the team. Source: api-behaviours §2. */
export const whyNotManageTeam = ({ of, access }: Team, permission: TeamPermission): RefusalCode | null =>
  of === 'project' ? whyNotActInTeam(access, permission) : whyNotActInOrganization(access, permission);

/**
 * Why the actor may not set how the revenue of the team is divided: its owner does, that of the organization, and admins.
 * Whoever may only edit members could give themselves all of it.
 */
export function whyNotDivide({ of, access }: Team): RefusalCode | null {
  const own = of === 'project' && access.project?.is_owner;
  return own || access.organization?.is_owner || access.role === 'admin' ? null : 'owner_only';
}

const isWithin = (bits: number | null, own: number | null): boolean => ((bits ?? 0) & ~(own ?? 0)) === 0;

/**
 * Why the actor may not give these permissions by inviting or editing: no member gives more than it has, and
 * organization permissions exist in organizations only. Source: api-behaviours §2.
 */
export function whyNotGrant(
  team: Team,
  by: 'MANAGE_INVITES' | 'EDIT_MEMBER',
  { permissions, organization_permissions }: Grant,
): RefusalCode | null {
  const missing = whyNotManageTeam(team, by);
  if (missing) return missing;
  const { of, access } = team;
  if (of === 'organization') {
    return isWithin(organization_permissions, organizationPermissionsOf(access))
      ? null
      : 'permissions_exceeded';
  }
  if (organization_permissions !== null) return 'organization_permissions_refused';
  return isWithin(permissions, permissionsOf(access)) ? null : 'permissions_exceeded';
}

/**
 * Why the actor may not set the default project permissions of an organization's member; a new member without any
 * needs no permission for that. Source: api-behaviours §2.
 */
export function whyNotSetDefaults(
  { of, access }: Team,
  by: 'MANAGE_INVITES' | 'EDIT_MEMBER',
  { permissions }: Grant,
): RefusalCode | null {
  const given = by === 'EDIT_MEMBER' ? permissions !== null : (permissions ?? 0) !== 0;
  if (of === 'project' || !given) return null;
  return whyNotActInOrganization(access, 'EDIT_MEMBER_DEFAULT_PERMISSIONS');
}

/** Why this user cannot be invited; the owner of the organization has all permissions. Source: api-behaviours §2. */
export function whyNotBeInvited(
  { member, organization }: Subject,
  { permissions }: Grant,
): RefusalCode | null {
  if (member) return member.accepted ? 'already_in_team' : 'already_invited';
  return organization?.is_owner && permissions !== allPermissions ? 'organization_owner_permissions' : null;
}

/** Members of the owning organization are in the team at once. Source: api-behaviours §2. */
export const isAcceptedAtOnce = ({ organization }: Subject): boolean => organization?.accepted ?? false;

/** Why this user cannot accept an invitation. Source: api-behaviours §2. */
export function whyNotJoin(member: Membership | null): RefusalCode | null {
  if (!member) return 'not_invited';
  return member.accepted ? 'already_in_team' : null;
}

/**
 * Why these permissions of a member cannot be changed: the owner's never, and those of the organization's owner in a
 * project are all. Ask `whyNotGrant` first. Source: api-behaviours §2.
 */
export function whyNotRegrant(
  { member, organization }: Subject,
  { permissions, organization_permissions }: Grant,
): RefusalCode | null {
  if (!member) return 'not_found';
  if (member.is_owner && (permissions !== null || organization_permissions !== null)) {
    return 'owner_permissions_fixed';
  }
  const lowered = permissions !== null && permissions !== allPermissions;
  return organization?.is_owner && lowered ? 'organization_owner_kept' : null;
}

/** What removing this row needs: members and invitations are different permissions. */
export const removalPermission = (member: Membership | null): TeamPermission =>
  member && !member.accepted ? 'MANAGE_INVITES' : 'REMOVE_MEMBER';

/**
 * Why the actor may not remove a member or an invitation; everyone may leave and decline. Outsiders do not learn who
 * is invited. Source: api-behaviours §2; api-v2 §9.
 */
export function whyNotRemove(
  team: Team,
  member: Membership | null,
  { self }: { self: boolean },
): RefusalCode | null {
  const refused = self ? null : whyNotManageTeam(team, removalPermission(member));
  if (refused === 'not_a_member') return refused;
  if (!member) return refused ?? 'not_found';
  if (member.is_owner) return 'owner_not_removable';
  return refused;
}

/**
 * Why the actor may not make this member the owner. The owner of an organization owns its projects. Source:
 * api-behaviours §2.
 */
export function whyNotTransfer(
  { of, access, in_organization }: Team & { in_organization: boolean },
  member: Membership | null,
): RefusalCode | null {
  if (of === 'project' && in_organization) return 'owned_by_organization';
  const own = of === 'project' ? access.project : access.organization;
  if (access.role !== 'admin' && !own?.is_owner) return 'owner_only';
  return member?.accepted ? null : 'new_owner_not_member';
}
