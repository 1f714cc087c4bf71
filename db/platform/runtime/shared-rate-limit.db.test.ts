import { expect, test } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { createSharedLimiter } from './shared-rate-limit.ts';

const database = testDatabase();
const rate = { count: 100, per_ms: 60_000 };

test('two processes share their counters', async () => {
  const [one, other] = [
    createSharedLimiter(database.sql, 'shared', rate),
    createSharedLimiter(database.sql, 'shared', rate),
  ];
  for (let i = 0; i < 40; i++) one.hit('key', Date.now());
  for (let i = 0; i < 30; i++) other.hit('key', Date.now());
  expect(other.hit('key', Date.now(), 0).remaining).toBe(70);
  await one.share();
  await other.share();
  await one.share();
  expect(other.hit('key', Date.now(), 0).remaining).toBeGreaterThanOrEqual(29);
  expect(other.hit('key', Date.now(), 0).remaining).toBeLessThanOrEqual(32);
  one.hit('key', Date.now());
  await one.share();
  expect(one.hit('key', Date.now(), 0).remaining).toBeLessThanOrEqual(31);
  expect(one.hit('another', Date.now(), 0).remaining).toBe(100);
});

test('limiters of different names do not mix', async () => {
  const [one, other] = [
    createSharedLimiter(database.sql, 'first', rate),
    createSharedLimiter(database.sql, 'second', rate),
  ];
  for (let i = 0; i < 50; i++) one.hit('key', Date.now());
  await one.share();
  other.hit('key', Date.now());
  await other.share();
  expect(other.hit('key', Date.now(), 0).remaining).toBeGreaterThanOrEqual(99);
});

test('a burst of keys is shared in one statement', async () => {
  // a hit counts for a minute, so that a slow run takes no row for one that is over
  const limiter = createSharedLimiter(database.sql, 'many', { count: 1, per_ms: 60_000 });
  for (let i = 0; i < 2000; i++) limiter.hit(`key-${i}`, Date.now());
  await limiter.share();
  const [row] = await database.sql`select count(*) from rate_limits where key like 'many:%'`;
  expect(row?.count).toBe(2000);
});
