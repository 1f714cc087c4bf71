import { describe, expect, it } from 'vitest';
import {
  type Actor,
  ghostId,
  type Role,
  roles,
  whyNotDeleteUser,
  whyNotEditUser,
  whyNotFindByEmail,
  whyNotRankUser,
  whyNotSetPreferences,
} from './rules.ts';

const actor = (user_id: string, role: Actor['role']) => ({ user_id, role }) as Actor;
const me = { id: 'AABBCCDD', role: 'developer' as Role };

describe.each(roles)('a %s', (role) => {
  const staff = role !== 'developer';
  const admin = role === 'admin';
  const self = actor(me.id, role);
  const other = actor('Stranger', role);

  it.each([
    ['edits a profile', whyNotEditUser, null, staff ? null : 'not_yours'],
    ['deletes an account', whyNotDeleteUser, null, admin ? null : 'not_yours'],
    ['sees and changes preferences', whyNotSetPreferences, null, staff ? null : 'not_yours'],
  ] as const)('%s', (_what, why, own, foreign) => {
    expect([why(me, self), why(me, other)]).toEqual([own, foreign]);
  });

  it('changes the profile of staff as an administrator only', () => {
    for (const of of ['moderator', 'admin'] as const)
      expect(whyNotEditUser({ ...me, role: of }, other)).toBe(
        admin ? null : staff ? 'admins_only' : 'not_yours',
      );
  });

  it('sets role and badges, and finds by e-mail address, as an admin only', () => {
    expect([whyNotRankUser(self), whyNotFindByEmail(self)]).toEqual(
      admin ? [null, null] : ['admins_only', 'admins_only'],
    );
  });

  it('never changes the Ghost user', () => {
    const ghost = { id: ghostId, role: 'developer' as Role };
    expect([whyNotEditUser(ghost, other), whyNotDeleteUser(ghost, other)]).toEqual([
      'ghost_user',
      'ghost_user',
    ]);
  });
});
