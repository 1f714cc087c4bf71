import { expect, test } from 'vitest';
import { tokenScopes } from '#db/platform/people/scopes/rules.ts';
import { groupsOf, scopeGroups } from './scope-groups.ts';

test('every scope that a token may have stands in one group, and no other', () => {
  const grouped = scopeGroups.flatMap(({ scopes }) => scopes.map(({ scope }) => scope));
  expect(grouped.toSorted()).toEqual(tokenScopes.toSorted());
});

test('only groups with chosen scopes are shown', () => {
  expect(groupsOf(new Set(['USER_READ', 'SERVER_READ'])).map(({ scopes }) => scopes.length)).toEqual([1, 1]);
  expect(groupsOf(new Set())).toEqual([]);
});
