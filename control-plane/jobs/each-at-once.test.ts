import { expect, it } from 'vitest';
import { eachAtOnce } from './each-at-once.ts';

const numbers = Array.from({ length: 20 }, (_, index) => index);
const options = { at_once: 4, unanswered_limit: 3, has_time: () => true, onError: () => {} };

it('goes on with the others while one hangs', async () => {
  let release = () => {};
  const hangs = new Promise<boolean>((resolve) => {
    release = () => resolve(true);
  });
  const done: number[] = [];
  const all = eachAtOnce(
    numbers,
    async (number) => {
      if (number === 1) return await hangs;
      done.push(number);
      if (done.length === numbers.length - 1) release(); // only once all others are through
      return true;
    },
    options,
  );
  expect(await all).toBe(20);
  expect(done).toHaveLength(19);
});

it('stops asking when nothing answers, and begins again with each answer', async () => {
  const silent = { ...options, at_once: 1 };
  expect(await eachAtOnce(numbers, async () => false, silent)).toBe(3);
  expect(await eachAtOnce(numbers, async (number) => number % 3 === 2, silent)).toBe(20);
});

it('goes on after an error, tells it, and counts it as no answer', async () => {
  const told: number[] = [];
  const tells = { ...options, at_once: 1, onError: (_: unknown, number: number) => told.push(number) };
  const begun = await eachAtOnce(
    numbers,
    async (number) => {
      if (number < 2) throw new Error('broken');
      return true;
    },
    tells,
  );
  expect([begun, told]).toEqual([20, [0, 1]]);
});

it('begins nothing more when the time is over', async () => {
  let left = 5;
  expect(
    await eachAtOnce(numbers, async () => true, { ...options, at_once: 1, has_time: () => left-- > 0 }),
  ).toBe(5);
});
