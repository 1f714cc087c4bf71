import type { RefusalCode } from '../errors.ts';
import type { Role } from '../people/rules.ts';

/** What a member may do in a project. Source: api-behaviours §1. */
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

/** What a member may do in an organization. Source: api-behaviours §1. */
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

/** A row of `team_members`, as far as rules look at it. */
export interface Membership {
  is_owner: boolean;
  accepted: boolean;
  permissions: number;
  organization_permissions: number | null;
}

/** How somebody stands to a project: global role (null = visitor) and the rows that concern them, pending ones too. */
export interface Access {
  role: Role | null;
  project: Membership | null;
  /** The row in the team of the organization that owns the project. */
  organization: Membership | null;
}

/** Nobody in particular: a visitor. */
export const anonymous: Access = { role: null, project: null, organization: null };

const moderatorBits = projectBits.EDIT_DETAILS | projectBits.EDIT_BODY | projectBits.UPLOAD_VERSION;
const moderatorOrganizationBits = organizationBits.EDIT_DETAILS | organizationBits.ADD_PROJECT;

/**
 * The project permissions of a standing, null when there is none at all. The first that applies decides: admin, the
 * accepted project row (even with fewer bits than the next), the accepted organization row, moderator.
 * Source: api-behaviours §1.1.
 */
export function permissionsOf({ role, project, organization }: Access): number | null {
  if (role === 'admin') return allPermissions;
  if (project?.accepted) return project.permissions;
  if (organization?.accepted) return organization.permissions;
  return role === 'moderator' ? moderatorBits : null;
}

/** The organization permissions of a standing, null when there is none. Source: api-behaviours §1.1. */
export function organizationPermissionsOf({
  role,
  organization,
}: Pick<Access, 'role' | 'organization'>): number | null {
  if (role === 'admin') return allOrganizationPermissions;
  if (organization?.accepted) return organization.organization_permissions ?? 0;
  return role === 'moderator' ? moderatorOrganizationBits : null;
}

/** Whether the standing has `permission` in the project. */
const may = (access: Access, permission: Permission): boolean =>
  ((permissionsOf(access) ?? 0) & projectBits[permission]) !== 0;

/** Whether the person belongs to the project or its organization; a pending invitation counts. Source: api-behaviours §4. */
export const isMemberOrInvited = ({ project, organization }: Access): boolean =>
  project !== null || organization !== null;

/** Whether the person has accepted a place in the project or its organization. */
export const isMember = ({ project, organization }: Access): boolean =>
  (project?.accepted ?? false) || (organization?.accepted ?? false);

/** Why a person of this standing may not use `permission` in the project; name it in the refusal's data. */
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

/** Why `viewer` may not see that `member` is invited: only accepted members and the invitee do. Source: api-behaviours §4. */
export function whyNotSeeMember(
  member: { accepted: boolean; user_id: string },
  viewer: { user_id: string | null; inside: boolean },
): RefusalCode | null {
  return member.accepted || viewer.inside || member.user_id === viewer.user_id ? null : 'not_found';
}

/** The role as v2 shows it: `Owner` belongs to the owner alone. v3 shows the stored text. Source: api-v2 §2.4. */
export function roleText({ role, is_owner }: { role: string; is_owner: boolean }): string {
  if (is_owner) return 'Owner';
  return role === 'Owner' ? 'Member' : role;
}
