import { expect, test } from 'vitest';
import { concurrencyLimit, QueueFull } from './concurrency.ts';

test('runs no more than the limit at once, the others in order', async () => {
  const inTurn = concurrencyLimit(2, 10, 1000);
  const begun: number[] = [];
  const ends: Array<() => void> = [];
  const work = (index: number) =>
    inTurn(async () => {
      begun.push(index);
      await new Promise<void>((end) => ends.push(end));
      return index;
    });
  const all = [0, 1, 2, 3].map(work);
  expect(begun).toEqual([0, 1]);
  ends[0]!();
  await all[0];
  expect(begun).toEqual([0, 1, 2]);
  ends[1]!();
  await all[1];
  ends[2]!();
  ends[3]!();
  expect(await Promise.all(all)).toEqual([0, 1, 2, 3]);
});

test('refuses on a full queue or a long wait; a failure frees its slot', async () => {
  const inTurn = concurrencyLimit(1, 1, 20);
  let fail = (_error: Error) => {};
  const first = inTurn(() => new Promise((_go, stop) => (fail = stop)));
  const second = inTurn(async () => 'second');
  await expect(inTurn(async () => 'third')).rejects.toBeInstanceOf(QueueFull);
  await expect(second).rejects.toBeInstanceOf(QueueFull);
  const fourth = inTurn(async () => 'fourth');
  fail(new Error('broken'));
  await expect(first).rejects.toThrow('broken');
  expect(await fourth).toBe('fourth');
});
