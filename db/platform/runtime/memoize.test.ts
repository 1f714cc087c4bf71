import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { memoizeFor } from './memoize.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.advanceTimersByTime(1); // the cache takes 0 for no time
});
afterEach(() => void vi.useRealTimers());

test('an answer is loaded once for each source', async () => {
  let loads = 0;
  const load = memoizeFor(60_000, async ({ name }: { name: string }) => `${name} ${++loads}`);
  const [ada, bob] = [{ name: 'ada' }, { name: 'bob' }];
  expect(await Promise.all([load(ada), load(ada), load(bob)])).toEqual(['ada 1', 'ada 1', 'bob 2']);
});

test('sources of the same key share an answer', async () => {
  let loads = 0;
  const load = memoizeFor(60_000, async () => ++loads, { keyOf: () => 'all' });
  expect([await load({}), await load({})]).toEqual([1, 1]);
});

test('an answer is loaded again when its time is over, counted from its arrival', async () => {
  let arrive = (_answer: string) => {};
  let loads = 0;
  const load = memoizeFor(1_000, () => {
    loads += 1;
    return new Promise<string>((done) => {
      arrive = done;
    });
  });
  const source = {};
  const first = load(source);
  vi.advanceTimersByTime(5_000);
  expect(load(source)).toBe(first);
  arrive('first');
  await first;
  vi.advanceTimersByTime(900);
  expect(await load(source)).toBe('first');
  vi.advanceTimersByTime(200);
  const second = load(source);
  arrive('second');
  expect([await second, loads]).toEqual(['second', 2]);
});

test('a failure and an empty answer are not cached', async () => {
  let loads = 0;
  const load = memoizeFor(
    60_000,
    async () => {
      loads += 1;
      if (loads === 1) throw new Error('not yet');
      return loads === 2 ? [] : [loads];
    },
    { isEmpty: (found) => found.length === 0 },
  );
  const source = {};
  await expect(load(source)).rejects.toThrow('not yet');
  expect([await load(source), await load(source), await load(source)]).toEqual([[], [3], [3]]);
});

test('a failure is cached as long as asked for, and shared meanwhile', async () => {
  let loads = 0;
  const load = memoizeFor(
    60_000,
    async () => {
      loads += 1;
      if (loads === 1) throw new Error('not yet');
      return loads;
    },
    { failed_ms: 1_000 },
  );
  const source = {};
  for (const one of [load(source), load(source)]) await expect(one).rejects.toThrow('not yet');
  vi.advanceTimersByTime(900);
  await expect(load(source)).rejects.toThrow('not yet');
  expect(loads).toBe(1);
  vi.advanceTimersByTime(200);
  expect([await load(source), await load(source)]).toEqual([2, 2]);
});
