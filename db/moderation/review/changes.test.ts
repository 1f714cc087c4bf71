import { expect, test } from 'vitest';
import { changesBetween } from './changes.ts';

test('tells line by line what went and what came', () => {
  const before = { body: 'a\nb\nc\nd', tags: ['magic', 'storage'], title: 'Stone' };
  const after = { body: 'a\nx\nc\nd\ne', tags: ['storage', 'mobs'], title: 'Stone' };
  expect(changesBetween(before, after)).toEqual([
    { field: 'body', removed: ['b'], added: ['x', 'e'] },
    { field: 'tags', removed: ['magic'], added: ['mobs'] },
  ]);
});

test('a field that was not remembered counts as new, a long rewrite is compared as a whole', () => {
  expect(changesBetween({}, { links: ['x'] })).toEqual([{ field: 'links', removed: [], added: ['x'] }]);
  const lines = (text: string) => Array.from({ length: 1500 }, (_, i) => `${text}${i}`);
  const [change] = changesBetween({ body: lines('a').join('\n') }, { body: lines('b').join('\n') });
  expect(change!.removed).toHaveLength(1500);
});
