import { describe, expect, it } from 'vitest';
import {
  type Access,
  allOrganizationPermissions,
  allPermissions,
  anonymous,
  isMember,
  isMemberOrInvited,
  type Membership,
  organizationBits,
  organizationPermissionsOf,
  type Permission,
  permissionsOf,
  projectBits,
  roleText,
  whyNotActInOrganization,
  whyNotActInTeam,
  whyNotSeeMember,
} from './rules.ts';

const row = (
  permissions: number,
  accepted = true,
  organization_permissions: number | null = null,
): Membership => ({
  is_owner: false,
  accepted,
  permissions,
  organization_permissions,
});

const roles = [null, 'developer', 'moderator', 'admin'] as const;
const projectRows = { none: null, pending: row(5, false), accepted: row(5) };
const organizationRows = { none: null, pending: row(130, false, 16), accepted: row(130, true, 16) };

/** [project row, organization row] -> permissions by role: anonymous, developer, moderator, admin. */
const expected: Array<
  [keyof typeof projectRows, keyof typeof organizationRows, number | null, number | null, number, number]
> = [
  ['none', 'none', null, null, 13, 1023],
  ['none', 'pending', null, null, 13, 1023],
  ['none', 'accepted', 130, 130, 130, 1023],
  ['pending', 'none', null, null, 13, 1023],
  ['pending', 'pending', null, null, 13, 1023],
  ['pending', 'accepted', 130, 130, 130, 1023],
  ['accepted', 'none', 5, 5, 5, 1023],
  ['accepted', 'pending', 5, 5, 5, 1023],
  ['accepted', 'accepted', 5, 5, 5, 1023],
];

describe('permissions in a project', () => {
  it('come from the first match: admin, project row, organization row, moderator', () => {
    for (const [project, organization, ...byRole] of expected) {
      for (const [place, role] of roles.entries()) {
        const access = {
          role,
          project: projectRows[project],
          organization: organizationRows[organization],
        };
        expect(permissionsOf(access), `${role} ${project} ${organization}`).toBe(byRole[place]);
      }
    }
  });

  it('are exactly the ten bits of the reference', () => {
    expect(Object.values(projectBits)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512]);
    expect(Object.values(projectBits).reduce((sum: number, bit) => sum + bit, 0)).toBe(allPermissions);
  });

  it('each allow their own action only', () => {
    for (const permission of Object.keys(projectBits) as Permission[]) {
      const only = { ...anonymous, project: row(projectBits[permission]) };
      const others = { ...anonymous, project: row(allPermissions & ~projectBits[permission]) };
      expect(whyNotActInTeam(only, permission)).toBeNull();
      expect(whyNotActInTeam(others, permission)).toBe('permission_missing');
      expect(whyNotActInTeam(anonymous, permission)).toBe('not_a_member');
    }
  });
});

describe('permissions in an organization', () => {
  it('come from admin, accepted row, moderator', () => {
    const by = (role: Access['role'], organization: Membership | null) =>
      organizationPermissionsOf({ role, organization });
    expect(Object.values(organizationBits).reduce((sum: number, bit) => sum + bit, 0)).toBe(
      allOrganizationPermissions,
    );
    expect(roles.map((role) => by(role, null))).toEqual([null, null, 17, 255]);
    expect(roles.map((role) => by(role, organizationRows.pending))).toEqual([null, null, 17, 255]);
    expect(roles.map((role) => by(role, organizationRows.accepted))).toEqual([16, 16, 16, 255]);
    expect(roles.map((role) => by(role, row(4)))).toEqual([0, 0, 0, 255]);
  });

  it('refuse non-members and members without the permission with different codes', () => {
    expect(whyNotActInOrganization({ role: 'developer', organization: null }, 'ADD_PROJECT')).toBe(
      'not_a_member',
    );
    expect(whyNotActInOrganization({ role: null, organization: row(0, true, 15) }, 'ADD_PROJECT')).toBe(
      'permission_missing',
    );
    expect(whyNotActInOrganization({ role: null, organization: row(0, true, 16) }, 'ADD_PROJECT')).toBeNull();
  });
});

describe('membership', () => {
  it('includes pending invitations for visibility, but not for permissions', () => {
    for (const [project, organization] of expected) {
      const access = {
        role: null,
        project: projectRows[project],
        organization: organizationRows[organization],
      };
      expect(isMemberOrInvited(access)).toBe(project !== 'none' || organization !== 'none');
      expect(isMember(access)).toBe(project === 'accepted' || organization === 'accepted');
    }
  });

  it('shows a pending invitation to members and the invitee only', () => {
    const pending = { accepted: false, user_id: 'u1' };
    expect(whyNotSeeMember({ accepted: true, user_id: 'u1' }, { user_id: null, inside: false })).toBeNull();
    expect(whyNotSeeMember(pending, { user_id: null, inside: false })).toBe('not_found');
    expect(whyNotSeeMember(pending, { user_id: 'u2', inside: false })).toBe('not_found');
    expect(whyNotSeeMember(pending, { user_id: 'u1', inside: false })).toBeNull();
    expect(whyNotSeeMember(pending, { user_id: 'u2', inside: true })).toBeNull();
  });

  it('reserves the role name Owner for the owner', () => {
    expect(roleText({ role: 'Member', is_owner: true })).toBe('Owner');
    expect(roleText({ role: 'Owner', is_owner: false })).toBe('Member');
    expect(roleText({ role: 'Artist', is_owner: false })).toBe('Artist');
  });
});
