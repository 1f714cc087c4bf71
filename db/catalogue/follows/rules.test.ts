import { describe, expect, it } from 'vitest';
import { type Actor, ghostId, roles } from '../../platform/people/rules.ts';
import { type Status, statuses, statusTraits } from '../projects/rules.ts';
import { type Access, anonymous, type Membership } from '../teams/rules.ts';
import {
  people_per_user,
  whyNotFollowProject,
  whyNotFollowUser,
  whyNotListFollows,
  whyNotUnfollowProject,
} from './rules.ts';

const member: Membership = {
  is_owner: false,
  accepted: true,
  permissions: 0,
  organization_permissions: null,
};
const access_levels: Array<[string, Access, 'inside' | 'outside']> = [
  ['a stranger', { ...anonymous, role: 'developer' }, 'outside'],
  ['a member', { ...anonymous, role: 'developer', project: member }, 'inside'],
  [
    'an invited person',
    { ...anonymous, role: 'developer', project: { ...member, accepted: false } },
    'inside',
  ],
  ['a member of its organization', { ...anonymous, role: 'developer', organization: member }, 'inside'],
  ['a moderator', { ...anonymous, role: 'moderator' }, 'inside'],
];
const hidden: readonly Status[] = ['private', 'draft', 'processing', 'rejected', 'scheduled', 'unknown'];

describe.each(access_levels)('%s', (_who, access, position) => {
  it.each(statuses)('can follow a visible project that is %s, once', (status) => {
    const absent = hidden.includes(status) && position === 'outside';
    expect(whyNotFollowProject(status, access, false)).toBe(absent ? 'project_unknown' : null);
    expect(whyNotFollowProject(status, access, true)).toBe(absent ? 'project_unknown' : 'already_following');
    expect(whyNotUnfollowProject(status, access, true)).toBeNull();
    expect(whyNotUnfollowProject(status, access, false)).toBe(absent ? 'project_unknown' : 'not_following');
    expect(statusTraits[status].hidden).toBe(hidden.includes(status));
  });
});

it.each(roles)('a %s can list their own follows, only admins those of others', (role) => {
  const viewer = { user_id: 'Viewer01', role } as Actor;
  expect(whyNotListFollows(viewer, 'Viewer01')).toBeNull();
  expect(whyNotListFollows(viewer, 'Another1')).toBe(role === 'admin' ? null : 'not_yours');
});

it.each([
  ['somebody else', {}, null],
  ['oneself', { followed_id: 'Viewer01' }, 'follow_self'],
  ['across a block', { blocked: true }, 'user_not_followable'],
  ['the account of deleted users', { followed_id: ghostId }, 'user_not_followable'],
  ['the last one there is room for', { count: people_per_user - 1 }, null],
  ['one too many', { count: people_per_user }, 'limit_reached'],
])('%s can be followed, or not', (_who, given, code) => {
  const plain = { user_id: 'Viewer01', followed_id: 'Another1', blocked: false, count: 0 };
  expect(whyNotFollowUser({ ...plain, ...given })).toBe(code);
});
