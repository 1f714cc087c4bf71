import { expect, it } from 'vitest';
import { pacer } from './pacer.ts';

it('lets through so many a second, in their order, and no more after a pause', async () => {
  let now = 0;
  const slept: number[] = [];
  const turn = pacer(
    10,
    () => now,
    async (ms) => void slept.push(ms),
  );
  await Promise.all([turn(), turn(), turn()]);
  expect(slept).toEqual([100, 200]);
  now = 10_000;
  await turn();
  await turn();
  expect(slept.slice(2)).toEqual([100]);
});
