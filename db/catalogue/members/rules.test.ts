import { describe, expect, it } from 'vitest';
import type { RefusalCode } from '../../platform/errors.ts';
import {
  type Access,
  allOrganizationPermissions,
  allPermissions,
  anonymous,
  type Membership,
  organizationBits,
  projectBits,
} from '../teams/rules.ts';
import {
  type Grant,
  isAcceptedAtOnce,
  removalPermission,
  type Team,
  type TeamPermission,
  whyNotBeInvited,
  whyNotGrant,
  whyNotJoin,
  whyNotManageTeam,
  whyNotRegrant,
  whyNotRemove,
  whyNotSetDefaults,
  whyNotTransfer,
} from './rules.ts';

const row = (given: Partial<Membership> = {}): Membership => ({
  is_owner: false,
  accepted: true,
  permissions: 0,
  organization_permissions: null,
  ...given,
});
const nothing: Grant = { permissions: null, organization_permissions: null };
const project = (permissions: number, given: Partial<Access> = {}): Team => ({
  of: 'project',
  access: { ...anonymous, role: 'developer', project: row({ permissions }), ...given },
});
const organization = (organization_permissions: number, given: Partial<Access> = {}): Team => ({
  of: 'organization',
  access: { ...anonymous, role: 'developer', organization: row({ organization_permissions }), ...given },
});
const shared = ['MANAGE_INVITES', 'REMOVE_MEMBER', 'EDIT_MEMBER'] as const;

/** Every kind of caller of a project team, and why it may not manage the team. */
const outsiders: Array<[string, Access, RefusalCode | null]> = [
  ['visitor', anonymous, 'not_a_member'],
  ['stranger', { ...anonymous, role: 'developer' }, 'not_a_member'],
  [
    'invitee',
    { ...anonymous, role: 'developer', project: row({ accepted: false, permissions: 1023 }) },
    'not_a_member',
  ],
  ['moderator', { ...anonymous, role: 'moderator' }, 'permission_missing'],
  ['admin', { ...anonymous, role: 'admin' }, null],
];

describe('managing a team', () => {
  it.each(shared)('needs %s alone; all other permissions together do not suffice', (permission) => {
    const [bit, own] = [projectBits[permission], organizationBits[permission]];
    expect(whyNotManageTeam(project(bit), permission)).toBeNull();
    expect(whyNotManageTeam(project(allPermissions & ~bit), permission)).toBe('permission_missing');
    expect(whyNotManageTeam(organization(own), permission)).toBeNull();
    expect(whyNotManageTeam(organization(allOrganizationPermissions & ~own), permission)).toBe(
      'permission_missing',
    );
  });

  it.each(outsiders)('by a %s', (_who, access, code) => {
    for (const permission of shared) {
      expect(whyNotManageTeam({ of: 'project', access }, permission)).toBe(code);
      const ours = { ...access, project: null, organization: access.project };
      expect(whyNotManageTeam({ of: 'organization', access: ours }, permission)).toBe(code);
    }
  });

  it('of a project is possible with the default permissions of its organization', () => {
    const access = { ...anonymous, role: 'developer' as const, organization: row({ permissions: 16 }) };
    expect(whyNotManageTeam({ of: 'project', access }, 'MANAGE_INVITES')).toBeNull();
    const narrowed = { ...access, project: row({ permissions: 0 }) };
    expect(whyNotManageTeam({ of: 'project', access: narrowed }, 'MANAGE_INVITES')).toBe(
      'permission_missing',
    );
  });
});

describe.each(['MANAGE_INVITES', 'EDIT_MEMBER'] as const)('giving permissions with %s', (by) => {
  it('is limited to the own ones, bit by bit', () => {
    for (const bit of Object.values(projectBits)) {
      const own = projectBits[by];
      const expected = bit === own ? null : 'permissions_exceeded';
      expect(whyNotGrant(project(own), by, { ...nothing, permissions: bit })).toBe(expected);
      expect(whyNotGrant(project(own | bit), by, { ...nothing, permissions: bit })).toBeNull();
    }
    for (const bit of Object.values(organizationBits)) {
      const own = organizationBits[by];
      const expected = bit === own ? null : 'permissions_exceeded';
      expect(whyNotGrant(organization(own), by, { ...nothing, organization_permissions: bit })).toBe(
        expected,
      );
      expect(
        whyNotGrant(organization(own | bit), by, { ...nothing, organization_permissions: bit }),
      ).toBeNull();
    }
  });

  it('asks for the permission before it looks at what is given', () => {
    const grant = { permissions: 1023, organization_permissions: 255 };
    for (const team of [project(0), organization(0)]) {
      expect(whyNotGrant(team, by, grant)).toBe('permission_missing');
    }
    expect(whyNotGrant({ of: 'project', access: { ...anonymous, role: 'admin' } }, by, nothing)).toBeNull();
  });

  it('refuses organization permissions in a project, even none', () => {
    const grant = { permissions: 0, organization_permissions: 0 };
    expect(whyNotGrant(project(1023), by, grant)).toBe('organization_permissions_refused');
  });

  it('needs EDIT_MEMBER_DEFAULT_PERMISSIONS for default project permissions', () => {
    const bit = organizationBits.EDIT_MEMBER_DEFAULT_PERMISSIONS;
    const given = { ...nothing, permissions: 4 };
    expect(whyNotSetDefaults(organization(bit), by, given)).toBeNull();
    expect(whyNotSetDefaults(organization(255 & ~bit), by, given)).toBe('permission_missing');
    expect(whyNotSetDefaults(organization(255 & ~bit), by, nothing)).toBeNull();
    const none = whyNotSetDefaults(organization(255 & ~bit), by, { ...nothing, permissions: 0 });
    expect(none).toBe(by === 'EDIT_MEMBER' ? 'permission_missing' : null);
    expect(whyNotSetDefaults(project(0), by, given)).toBeNull();
  });
});

describe('an invitation', () => {
  const grant = { ...nothing, permissions: 4 };
  it('is refused to members and invitees', () => {
    expect(whyNotBeInvited({ member: row(), organization: null }, grant)).toBe('already_in_team');
    expect(whyNotBeInvited({ member: row({ accepted: false }), organization: null }, grant)).toBe(
      'already_invited',
    );
    expect(whyNotBeInvited({ member: null, organization: null }, grant)).toBeNull();
  });

  it('of the organization’s owner has all permissions', () => {
    const owner = { member: null, organization: row({ is_owner: true }) };
    expect(whyNotBeInvited(owner, grant)).toBe('organization_owner_permissions');
    expect(whyNotBeInvited(owner, { ...nothing, permissions: 1023 })).toBeNull();
    expect(whyNotBeInvited({ member: null, organization: row() }, grant)).toBeNull();
  });

  it('is accepted at once by members of the organization, not by its invitees', () => {
    expect(isAcceptedAtOnce({ member: null, organization: row() })).toBe(true);
    expect(isAcceptedAtOnce({ member: null, organization: row({ accepted: false }) })).toBe(false);
    expect(isAcceptedAtOnce({ member: null, organization: null })).toBe(false);
  });

  it('can be accepted once', () => {
    expect(whyNotJoin(null)).toBe('not_invited');
    expect(whyNotJoin(row({ accepted: false }))).toBeNull();
    expect(whyNotJoin(row())).toBe('already_in_team');
  });
});

describe('changing permissions', () => {
  it('is impossible for the owner, whose other fields may change', () => {
    const owner = { member: row({ is_owner: true }), organization: null };
    expect(whyNotRegrant(owner, { ...nothing, permissions: 1023 })).toBe('owner_permissions_fixed');
    expect(whyNotRegrant(owner, { ...nothing, organization_permissions: 255 })).toBe(
      'owner_permissions_fixed',
    );
    expect(whyNotRegrant(owner, nothing)).toBeNull();
    expect(whyNotRegrant({ member: null, organization: null }, nothing)).toBe('not_found');
  });

  it('cannot lower the organization’s owner in a project', () => {
    const owner = { member: row({ permissions: 1023 }), organization: row({ is_owner: true }) };
    expect(whyNotRegrant(owner, { ...nothing, permissions: 1022 })).toBe('organization_owner_kept');
    expect(whyNotRegrant(owner, { ...nothing, permissions: 1023 })).toBeNull();
    expect(whyNotRegrant({ ...owner, organization: row() }, { ...nothing, permissions: 0 })).toBeNull();
  });
});

describe('removing', () => {
  const targets: Array<[string, Membership | null, TeamPermission]> = [
    ['a member', row(), 'REMOVE_MEMBER'],
    ['an invitation', row({ accepted: false }), 'MANAGE_INVITES'],
    ['nobody', null, 'REMOVE_MEMBER'],
  ];
  it.each(targets)('%s needs its own permission', (_what, member, permission) => {
    expect(removalPermission(member)).toBe(permission);
    const bit = projectBits[permission];
    const done = member ? null : 'not_found';
    expect(whyNotRemove(project(bit), member, { self: false })).toBe(done);
    expect(whyNotRemove(project(1023 & ~bit), member, { self: false })).toBe('permission_missing');
    const own = organizationBits[permission];
    expect(whyNotRemove(organization(own), member, { self: false })).toBe(done);
    expect(whyNotRemove(organization(255 & ~own), member, { self: false })).toBe('permission_missing');
    expect(whyNotRemove(project(0), member, { self: true })).toBe(done);
  });

  it('never removes the owner, and tells outsiders nothing', () => {
    const owner = row({ is_owner: true });
    expect(whyNotRemove(project(1023), owner, { self: false })).toBe('owner_not_removable');
    expect(whyNotRemove(project(1023), owner, { self: true })).toBe('owner_not_removable');
    expect(
      whyNotRemove({ of: 'project', access: { ...anonymous, role: 'admin' } }, owner, { self: false }),
    ).toBe('owner_not_removable');
    for (const member of [owner, row(), row({ accepted: false }), null]) {
      expect(whyNotRemove({ of: 'project', access: anonymous }, member, { self: false })).toBe(
        'not_a_member',
      );
    }
  });
});

describe('transferring the ownership', () => {
  const owns = (is_owner: boolean, role: Access['role'] = 'developer') => ({
    project: {
      of: 'project' as const,
      access: { ...anonymous, role, project: row({ is_owner, permissions: 1023 }) },
    },
    organization: {
      of: 'organization' as const,
      access: { ...anonymous, role, organization: row({ is_owner, organization_permissions: 255 }) },
    },
  });
  it.each(['project', 'organization'] as const)('of a %s is up to its owner and admins', (of) => {
    const to = row();
    const asked = (team: Team) => whyNotTransfer({ ...team, in_organization: false }, to);
    expect(asked(owns(true)[of])).toBeNull();
    expect(asked(owns(false)[of])).toBe('owner_only');
    expect(asked(owns(false, 'moderator')[of])).toBe('owner_only');
    expect(asked(owns(false, 'admin')[of])).toBeNull();
    expect(asked({ of, access: anonymous })).toBe('owner_only');
  });

  it('goes to accepted members only, and not in projects of organizations', () => {
    const team = { ...owns(true).project, in_organization: false };
    expect(whyNotTransfer(team, row({ accepted: false }))).toBe('new_owner_not_member');
    expect(whyNotTransfer(team, null)).toBe('new_owner_not_member');
    for (const role of ['developer', 'admin'] as const) {
      expect(whyNotTransfer({ ...owns(true, role).project, in_organization: true }, row())).toBe(
        'owned_by_organization',
      );
    }
    expect(whyNotTransfer({ ...owns(true).organization, in_organization: true }, row())).toBeNull();
  });
});
