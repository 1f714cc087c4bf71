import { expect, it } from 'vitest';
import type { Actor, Role } from '../../platform/people/rules.ts';
import { whyNotLookUp, whyNotReadAudit, whyNotSeeContact } from './rules.ts';

const actor = (role: Role): Actor => ({
  ...{
    user_id: 'Anyone01',
    username: 'anyone',
    role,
    scopes: 'all',
    interactive: true,
    email_verified: true,
  },
});

it.each<[Role | null, Array<string | null>]>([
  [null, ['moderators_only', 'admins_only', 'admins_only']],
  ['developer', ['moderators_only', 'admins_only', 'admins_only']],
  ['moderator', [null, 'admins_only', 'admins_only']],
  ['admin', [null, null, null]],
])('a %s may look up, read the log and see contacts: %o', (role, expected) => {
  const viewer = role && actor(role);
  expect([whyNotLookUp(viewer), whyNotReadAudit(viewer), whyNotSeeContact(viewer)]).toEqual(expected);
});
