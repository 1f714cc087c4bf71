import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Pool } from '#db/sql.ts';
import { createLimiter, judge } from './rate-limit.ts';

const rate = { count: 300, per_ms: 60_000 };

test('the whole count may come at once, then one every interval', () => {
  let arrival = 0;
  for (let i = 1; i <= 300; i++) {
    const verdict = judge(rate, arrival, 1_000_000);
    expect(verdict).toMatchObject({ allowed: true, remaining: 300 - i });
    arrival = verdict.arrival;
  }
  expect(judge(rate, arrival, 1_000_000)).toMatchObject({
    allowed: false,
    remaining: 0,
    retry_after_ms: 200,
    reset_ms: 60_000,
  });
  expect(judge(rate, arrival, 1_000_200)).toMatchObject({ allowed: true, remaining: 0 });
  expect(judge(rate, arrival, 1_060_000)).toMatchObject({ allowed: true, remaining: 299 });
});

test('a clock that is set back refuses for one interval, not for the length of the jump', () => {
  const limiter = createLimiter(null as unknown as Pool, 'test', rate);
  const hour_ms = 3_600_000;
  expect(limiter.hit('key', 2 * hour_ms)).toMatchObject({ allowed: true });
  expect(limiter.hit('key', hour_ms)).toMatchObject({ allowed: false, retry_after_ms: 200 });
  expect(limiter.hit('key', hour_ms + 200)).toMatchObject({ allowed: true });
});

test('looking costs nothing', () => {
  expect(judge(rate, 0, 5, 0)).toEqual({
    allowed: true,
    arrival: 5,
    remaining: 300,
    reset_ms: 0,
    retry_after_ms: 0,
  });
});

test('no pattern of requests gets more than twice the count through in one period', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 400 }), (gaps) => {
      const small = { count: 10, per_ms: 1000 };
      let [now, arrival] = [0, 0];
      const passed: number[] = [];
      for (const gap of gaps) {
        now += gap;
        const verdict = judge(small, arrival, now);
        arrival = verdict.arrival;
        if (verdict.allowed) passed.push(now);
        else expect(judge(small, arrival, now + verdict.retry_after_ms).allowed).toBe(true);
      }
      for (const from of passed) {
        expect(passed.filter((at) => at >= from && at < from + 1000).length).toBeLessThanOrEqual(20);
      }
    }),
  );
});
