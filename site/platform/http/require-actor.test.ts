import { describe, expect, test } from 'vitest';
import { whyNotSeeNodes } from '#db/hosting/nodes/rules.ts';
import { whyNotManageNotices } from '#db/hosting/notices/rules.ts';
import type { Actor, Role } from '#db/platform/people/rules.ts';
import { signInPath } from '../paths/sign-in-path.ts';
import { type PageRule, requireActor } from './require-actor.ts';

const person = (role: Role): Actor => ({
  user_id: role,
  username: role,
  role,
  scopes: 'all',
  interactive: true,
  email_verified: true,
});
const callers = {
  visitor: null,
  developer: person('developer'),
  moderator: person('moderator'),
  admin: person('admin'),
};
type Outcome = 'shown' | 'sign in' | 'not there';
const outcomes: Record<string, Outcome> = {
  authentication_required: 'sign in',
  page_refused: 'not there',
};

async function outcomeOf(actor: Actor | null, rule?: PageRule): Promise<Outcome> {
  const locals = { currentActor: async () => actor, path: '/admin/audit' };
  try {
    expect(await requireActor({ locals }, rule)).toBe(actor);
    return 'shown';
  } catch (error) {
    return outcomes[(error as { code: string }).code]!;
  }
}

const table: Array<[string, PageRule | undefined, Record<keyof typeof callers, Outcome>]> = [
  [
    'a page for signed-in users',
    undefined,
    { visitor: 'sign in', developer: 'shown', moderator: 'shown', admin: 'shown' },
  ],
  [
    'notices',
    whyNotManageNotices,
    { visitor: 'sign in', developer: 'not there', moderator: 'shown', admin: 'shown' },
  ],
  [
    'nodes',
    whyNotSeeNodes,
    { visitor: 'sign in', developer: 'not there', moderator: 'not there', admin: 'shown' },
  ],
  [
    'a page that no user may see',
    () => 'permission_missing',
    { visitor: 'sign in', developer: 'not there', moderator: 'not there', admin: 'not there' },
  ],
  [
    'a page whose rule accepts anonymous visitors',
    () => null,
    { visitor: 'sign in', developer: 'shown', moderator: 'shown', admin: 'shown' },
  ],
];

describe.each(table)('%s', (_name, rule, expected) => {
  test.each(Object.keys(callers) as Array<keyof typeof callers>)('for a %s', async (caller) => {
    expect(await outcomeOf(callers[caller], rule)).toBe(expected[caller]);
  });
});

test.each([
  [null, '/auth/sign-in'],
  ['/servers/manage?order=a&hl=de-DE', '/auth/sign-in?redirect=%2Fservers%2Fmanage%3Forder%3Da%26hl%3Dde-DE'],
  ['/auth/sign-up', '/auth/sign-in'],
])('the sign-in path from %s is %s', (back, path) => {
  expect(signInPath(back)).toBe(path);
});
