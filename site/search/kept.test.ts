import { expect, test } from 'vitest';
import { memoizeFor } from './kept.ts';

test('an answer is asked for once, for each thing by itself', async () => {
  let asked = 0;
  const ask = memoizeFor(60_000, async (thing: { name: string }) => `${thing.name} ${++asked}`);
  const [ada, bob] = [{ name: 'ada' }, { name: 'bob' }];
  expect(await Promise.all([ask(ada), ask(ada), ask(bob)])).toEqual(['ada 1', 'ada 1', 'bob 2']);
});

test('an answer that is too old is asked for anew, and so is one that failed', async () => {
  let asked = 0;
  const old = memoizeFor(0, async () => ++asked);
  const thing = {};
  expect([await old(thing), await old(thing)]).toEqual([1, 2]);
  const broken = memoizeFor(60_000, async () => {
    if (++asked < 4) throw new Error('not yet');
    return asked;
  });
  await expect(broken(thing)).rejects.toThrow('not yet');
  expect(await broken(thing)).toBe(4);
});
