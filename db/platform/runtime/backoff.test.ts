import { expect, test } from 'vitest';
import { Backoff, backoffMs } from './backoff.ts';

const bounds = { min_ms: 100, max_ms: 1_000 };

test('doubles with each failure up to the maximum, for any number of failures', () => {
  expect([1, 2, 3, 4, 5, 5_000].map((failures) => backoffMs(failures, bounds))).toEqual([
    100, 200, 400, 800, 1_000, 1_000,
  ]);
});

test('is reset by a success', () => {
  const backoff = new Backoff(bounds, () => 1);
  expect([backoff.next(), backoff.next(), backoff.next(), backoff.failures]).toEqual([100, 200, 400, 3]);
  backoff.reset();
  expect([backoff.failures, backoff.next()]).toEqual([0, 100]);
});

test('jitter shortens a pause to no less than half', () => {
  expect(new Backoff(bounds, () => 0).next()).toBe(50);
  expect(new Backoff(bounds, () => 0.5).next()).toBe(75);
});
