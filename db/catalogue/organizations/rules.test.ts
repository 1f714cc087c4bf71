import { describe, expect, it } from 'vitest';
import type { Actor, Role } from '../../platform/people/rules.ts';
import { allOrganizationPermissions, type Membership, organizationBits } from '../teams/rules.ts';
import {
  perPerson,
  whyNotAddProject,
  whyNotCreateOrganization,
  whyNotRemoveProject,
  whyNotSeeOrganization,
} from './rules.ts';

const actor = (role: Role, email_verified = true): Actor => ({
  user_id: 'AABBCCDD',
  username: 'someone',
  role,
  scopes: 'all',
  interactive: true,
  email_verified,
});
const row = (given: Partial<Membership> = {}): Membership => ({
  is_owner: false,
  accepted: true,
  permissions: 1023,
  organization_permissions: null,
  ...given,
});
const viewers = [null, actor('developer'), actor('moderator'), actor('admin')];

describe('an organization', () => {
  it('exists for others with a searchable project or a second member', () => {
    for (const searchable of [true, false]) {
      for (const accepted_members of [0, 1, 2]) {
        for (const mine of [true, false]) {
          const shown = searchable || accepted_members > 1 || mine;
          const seen = viewers.map((viewer) =>
            whyNotSeeOrganization({ searchable, accepted_members, mine }, viewer),
          );
          const others = shown ? null : 'not_found';
          expect(seen).toEqual([others, others, null, null]);
        }
      }
    }
  });

  it('is created by verified users, up to sixteen, by admins without limit', () => {
    expect(whyNotCreateOrganization(0, actor('developer'))).toBeNull();
    expect(whyNotCreateOrganization(perPerson - 1, actor('developer'))).toBeNull();
    expect(whyNotCreateOrganization(perPerson, actor('developer'))).toBe('limit_reached');
    expect(whyNotCreateOrganization(perPerson, actor('moderator'))).toBe('limit_reached');
    expect(whyNotCreateOrganization(perPerson, actor('admin'))).toBeNull();
    for (const role of ['developer', 'moderator', 'admin'] as const) {
      expect(whyNotCreateOrganization(0, actor(role, false))).toBe('email_unverified');
    }
  });
});

describe('adding a project', () => {
  const bit = organizationBits.ADD_PROJECT;
  const owner = row({ is_owner: true });
  const joined = row({ organization_permissions: bit });
  const adding = { role: 'developer' as const, project: owner, organization: joined, owned: false };

  it('needs the ownership, both memberships and ADD_PROJECT', () => {
    expect(whyNotAddProject(adding)).toBeNull();
    expect(whyNotAddProject({ ...adding, project: row() })).toBe('owner_only');
    const others = row({ organization_permissions: allOrganizationPermissions & ~bit });
    expect(whyNotAddProject({ ...adding, organization: others })).toBe('permission_missing');
    expect(whyNotAddProject({ ...adding, owned: true })).toBe('already_in_organization');
  });

  it('needs an accepted row in both teams, also for staff', () => {
    for (const role of ['developer', 'moderator', 'admin'] as const) {
      for (const missing of [null, row({ accepted: false })]) {
        expect(whyNotAddProject({ ...adding, role, project: missing })).toBe('both_teams_required');
        expect(whyNotAddProject({ ...adding, role, organization: missing })).toBe('both_teams_required');
      }
    }
    expect(whyNotAddProject({ ...adding, role: 'admin', project: row(), organization: row() })).toBeNull();
    expect(whyNotAddProject({ ...adding, role: 'moderator', project: row() })).toBe('owner_only');
  });
});

describe('removing a project', () => {
  const bit = organizationBits.REMOVE_PROJECT;
  const may = { role: 'developer' as const, organization: row({ organization_permissions: bit }) };

  it('needs REMOVE_PROJECT, and a member as the new owner', () => {
    const removal = { owned: true, new_owner: row() };
    expect(whyNotRemoveProject(may, removal)).toBeNull();
    const others = row({ organization_permissions: allOrganizationPermissions & ~bit });
    expect(whyNotRemoveProject({ ...may, organization: others }, removal)).toBe('permission_missing');
    expect(whyNotRemoveProject({ role: 'developer', organization: null }, removal)).toBe('not_a_member');
    expect(whyNotRemoveProject({ role: 'moderator', organization: null }, removal)).toBe(
      'permission_missing',
    );
    expect(whyNotRemoveProject({ role: 'admin', organization: null }, removal)).toBeNull();
    expect(whyNotRemoveProject(may, { ...removal, owned: false })).toBe('not_in_organization');
    expect(whyNotRemoveProject(may, { ...removal, new_owner: null })).toBe('new_owner_not_member');
    expect(whyNotRemoveProject(may, { ...removal, new_owner: row({ accepted: false }) })).toBe(
      'new_owner_not_member',
    );
  });
});
