import { expect, test } from 'vitest';
import { mayServeStale, unconfirmed_ms } from './stale-window.ts';

const minute = 60_000;
/** An outage that began at 100,000 ms, 500 ms after the last confirmation, and is one second old. */
const outage = { confirmed_at: 99_500, away_since: 100_000, now: 101_000 };

test('pages are served when events were confirmed just before the outage', () => {
  expect(mayServeStale(outage, minute)).toBe(true);
});

test('the last confirmation may be two seconds old when the outage begins, and not a millisecond more', () => {
  const confirmed_at = outage.away_since - unconfirmed_ms;
  expect(unconfirmed_ms).toBe(2_000);
  expect(mayServeStale({ ...outage, confirmed_at }, minute)).toBe(true);
  expect(mayServeStale({ ...outage, confirmed_at: confirmed_at - 1 }, minute)).toBe(false);
  expect(mayServeStale({ ...outage, confirmed_at: Number.NEGATIVE_INFINITY }, minute)).toBe(false);
});

test('pages are served for the limit since the last confirmation, not since the outage was noticed', () => {
  const end = outage.confirmed_at + minute;
  expect(mayServeStale({ ...outage, now: end }, minute)).toBe(true);
  expect(mayServeStale({ ...outage, now: end + 1 }, minute)).toBe(false);
});

test('a limit of 0 serves nothing', () => {
  const { away_since } = outage;
  expect(mayServeStale({ confirmed_at: away_since, away_since, now: away_since }, 0)).toBe(false);
});

test('events confirmed while Postgres counts as away allow it too', () => {
  expect(mayServeStale({ ...outage, confirmed_at: 100_900 }, minute)).toBe(true);
});
