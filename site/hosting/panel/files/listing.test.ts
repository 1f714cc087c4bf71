import { expect, it } from 'vitest';
import type { FileEntry } from '#control/protocol/files.ts';
import { firstOrder, followedBy, merged, sortedBy } from './listing.ts';

const entry = (name: string, etag = '1'): FileEntry => ({
  ...{ name, etag, type: 'file', bytes: 1, modified: 1, created: 1 },
});

it('sorts by a column, and round again by the second press', () => {
  expect(sortedBy(firstOrder, 'name')).toMatchObject({ sort: 'name', descending: true });
  const sizes = sortedBy(firstOrder, 'bytes');
  expect(sizes).toMatchObject({ sort: 'bytes', descending: true, show: 'all' });
  expect(sortedBy(sizes, 'bytes').descending).toBe(false);
  expect(sortedBy(sizes, 'name').descending).toBe(false);
});

it('keeps the objects of entries that have not changed', () => {
  const before = [entry('a'), entry('b'), entry('c')];
  expect(
    merged(
      before,
      before.map((one) => ({ ...one })),
    ),
  ).toBe(before);
  const after = merged(before, [entry('a'), entry('b', '2'), entry('d')]);
  expect(after[0]).toBe(before[0]);
  expect(after.map(({ name, etag }) => name + etag)).toEqual(['a1', 'b2', 'd1']);
  expect(merged(before, [before[1]!, before[0]!, before[2]!])).not.toBe(before);
});

it('shows no entry twice when the list moved between two pages', () => {
  const before = [entry('a'), entry('b')];
  expect(followedBy(before, [entry('b'), entry('c')]).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  expect(followedBy(before, [])).toBe(before);
});
