import { expect, it } from 'vitest';
import { PlayerCount } from './player-count.ts';
import type { Status } from './status-ping.ts';

/** A count whose answers and whose time the test sets. */
function counting() {
  const set = { now: 1_000, answer: null as Status | null, asked: 0 };
  const ask = async () => {
    set.asked += 1;
    return set.answer;
  };
  return { set, count: new PlayerCount({ ask, now: () => set.now }) };
}
const players = (online: number): Status => ({ online, most: 20, names: [] });

it('knows since when nobody plays, from the first time that was seen', async () => {
  const { set, count } = counting();
  expect(count.empty_since).toBeNull();
  set.answer = players(0);
  await count.fresh();
  set.now = 5_000;
  await count.fresh();
  expect([count.empty_since, count.most]).toEqual([1_000, 20]);
  set.answer = players(1);
  await count.fresh();
  expect(count.empty_since).toBeNull();
});

it('learns nothing from a server that does not answer', async () => {
  const { set, count } = counting();
  await count.fresh();
  expect(count.empty_since).toBeNull();
  set.answer = players(0);
  await count.fresh();
  set.answer = null;
  set.now = 9_000;
  expect(await count.fresh()).toBeNull();
  expect(count.empty_since).toBe(1_000);
});

it('asks again only when the last answer is old', async () => {
  const { set, count } = counting();
  set.answer = players(3);
  expect(count.recent(500)).toBeNull();
  await expect.poll(() => count.recent(500)).toEqual(players(3));
  set.now += 499;
  count.recent(500);
  expect(set.asked).toBe(1);
  set.now += 1;
  count.recent(500);
  expect(set.asked).toBe(2);
});

it('takes no answer for one that a process before gave', async () => {
  const { set, count } = counting();
  set.answer = players(0);
  const asked = count.fresh();
  count.forget();
  expect(await asked).toBeNull();
  expect(count.empty_since).toBeNull();
});
