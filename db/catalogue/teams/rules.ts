import type { RefusalCode } from '../../platform/errors.ts';
import type { Role } from '../../platform/people/rules.ts';

/** Permissions of a member in a project. Source: api-behaviours §1. */
export const projectBits = {
  UPLOAD_VERSION: 1,
  DELETE_VERSION: 2,
  EDIT_DETAILS: 4,
  EDIT_BODY: 8,
  MANAGE_INVITES: 16,
  REMOVE_MEMBER: 32,
  EDIT_MEMBER: 64,
  DELETE_PROJECT: 128,
  VIEW_ANALYTICS: 256,
  VIEW_PAYOUTS: 512,
} as const;
export type Permission = keyof typeof projectBits;
export const allPermissions = 1023;

/** Permissions of a member in an organization. Source: api-behaviours §1. */
export const organizationBits = {
  EDIT_DETAILS: 1,
  MANAGE_INVITES: 2,
  REMOVE_MEMBER: 4,
  EDIT_MEMBER: 8,
  ADD_PROJECT: 16,
  REMOVE_PROJECT: 32,
  DELETE_ORGANIZATION: 64,
  EDIT_MEMBER_DEFAULT_PERMISSIONS: 128,
} as const;
export type OrganizationPermission = keyof typeof organizationBits;
export const allOrganizationPermissions = 255;

/** The fields of `team_members` that rules use. */
export interface Membership {
  is_owner: boolean;
  accepted: boolean;
  permissions: number;
  organization_permissions: number | null;
}

/** An actor's access to a project: global role (null = anonymous) and the actor's team rows, pending ones included. */
export interface Access {
  role: Role | null;
  project: Membership | null;
  /** The row in the team of the organization that owns the project. */
  organization: Membership | null;
}

/** Access of an anonymous user. */
export const anonymous: Access = { role: null, project: null, organization: null };

const moderatorBits = projectBits.EDIT_DETAILS | projectBits.EDIT_BODY | projectBits.UPLOAD_VERSION;
const moderatorOrganizationBits = organizationBits.EDIT_DETAILS | organizationBits.ADD_PROJECT;

/**
 * Project permissions, null for none at all. The first match decides: admin, the accepted project row (even with fewer
 * permissions than the next), the accepted organization row, moderator.
 * Source: api-behaviours §1.1.
 */
export function permissionsOf({ role, project, organization }: Access): number | null {
  if (role === 'admin') return allPermissions;
  if (project?.accepted) return project.permissions;
  if (organization?.accepted) return organization.permissions;
  return role === 'moderator' ? moderatorBits : null;
}

/** Organization permissions, null for none. Source: api-behaviours §1.1. */
export function organizationPermissionsOf({
  role,
  organization,
}: Pick<Access, 'role' | 'organization'>): number | null {
  if (role === 'admin') return allOrganizationPermissions;
  if (organization?.accepted) return organization.organization_permissions ?? 0;
  return role === 'moderator' ? moderatorOrganizationBits : null;
}

/** Whether `permission` is granted in the project. */
const may = (access: Access, permission: Permission): boolean =>
  ((permissionsOf(access) ?? 0) & projectBits[permission]) !== 0;

/**
 * Whether the user is a member of the project or its organization; pending invitations count. Source: api-behaviours
 * §4.
 */
export const isMemberOrInvited = ({ project, organization }: Access): boolean =>
  project !== null || organization !== null;

/** Whether the user is an accepted member of the project or its organization. */
export const isMember = ({ project, organization }: Access): boolean =>
  (project?.accepted ?? false) || (organization?.accepted ?? false);

/** Why the actor may not use `permission` in the project; put it into the data of the refusal. */
export function whyNotActInTeam(access: Access, permission: Permission): RefusalCode | null {
  if (permissionsOf(access) === null) return 'not_a_member';
  return may(access, permission) ? null : 'permission_missing';
}

/** The same for an organization. */
export function whyNotActInOrganization(
  access: Pick<Access, 'role' | 'organization'>,
  permission: OrganizationPermission,
): RefusalCode | null {
  const bits = organizationPermissionsOf(access);
  if (bits === null) return 'not_a_member';
  return (bits & organizationBits[permission]) !== 0 ? null : 'permission_missing';
}

/**
 * Why `viewer` may not see the invitation of `member`: only accepted members and the invitee may. Source:
 * api-behaviours §4.
 */
export function whyNotSeeMember(
  member: { accepted: boolean; user_id: string },
  viewer: { user_id: string | null; inside: boolean },
): RefusalCode | null {
  return member.accepted || viewer.inside || member.user_id === viewer.user_id ? null : 'not_found';
}

/** The role as v2 shows it: `Owner` is reserved for the owner. v3 shows the stored text. Source: api-v2 §2.4. */
export function roleText({ role, is_owner }: { role: string; is_owner: boolean }): string {
  if (is_owner) return 'Owner';
  return role === 'Owner' ? 'Member' : role;
}
