import { expect, test } from 'vitest';
import { memoizeFor } from './memoize.ts';

test('loads a value once per key', async () => {
  let requested = 0;
  const request = memoizeFor(60_000, async (item: { name: string }) => `${item.name} ${++requested}`);
  const [ada, bob] = [{ name: 'ada' }, { name: 'bob' }];
  expect(await Promise.all([request(ada), request(ada), request(bob)])).toEqual(['ada 1', 'ada 1', 'bob 2']);
});

test('loads an expired or failed value again', async () => {
  let requested = 0;
  const old = memoizeFor(0, async () => ++requested);
  const item = {};
  expect([await old(item), await old(item)]).toEqual([1, 2]);
  const broken = memoizeFor(60_000, async () => {
    if (++requested < 4) throw new Error('not yet');
    return requested;
  });
  await expect(broken(item)).rejects.toThrow('not yet');
  expect(await broken(item)).toBe(4);
});
