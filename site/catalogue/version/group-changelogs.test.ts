import { expect, test } from 'vitest';
import { groupChangelogs } from './group-changelogs.ts';

const reported = (...texts: string[]) =>
  groupChangelogs(
    texts.map((_, position) => ({ id: `v${position}` })),
    new Map(texts.map((text, position) => [`v${position}`, text])),
  ).map(({ versions, changelog }) => `${versions.map(({ id }) => id).join()} ${changelog}`);

test('a text repeated by adjacent versions is shown once', () => {
  expect(reported('Faster', 'Faster', 'Smaller')).toEqual(['v0,v1 Faster', 'v2 Smaller']);
});

test('a text that returns later is back online', () => {
  expect(reported('Faster', 'Smaller', 'Faster')).toEqual(['v0 Faster', 'v1 Smaller', 'v2 Faster']);
});

test('adjacent versions without a changelog are grouped', () => {
  expect(reported('', '', 'Smaller')).toEqual(['v0,v1 ', 'v2 Smaller']);
  expect(groupChangelogs([{ id: 'x' }], new Map())).toEqual([{ versions: [{ id: 'x' }], changelog: '' }]);
});
