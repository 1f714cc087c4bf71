import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judge, LocalLimiter } from './rate-limit.ts';

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
  const limiter = new LocalLimiter(rate, 10);
  const hour_ms = 3_600_000;
  expect(limiter.hit('key', 2 * hour_ms)).toMatchObject({ allowed: true });
  expect(limiter.hit('key', hour_ms)).toMatchObject({ allowed: false, retry_after_ms: 200 });
  expect(limiter.hit('key', hour_ms + 200)).toMatchObject({ allowed: true });
});

test('each key is measured for itself, and the clock may be one since the start of the process', () => {
  const limiter = new LocalLimiter({ count: 4, per_ms: 1000 }, 10);
  const hits = (key: string, now_ms: number, count: number) =>
    Array.from({ length: count }, () => limiter.hit(key, now_ms).allowed);
  expect(hits('a', 10, 5)).toEqual([true, true, true, true, false]);
  expect(hits('b', 10, 1)).toEqual([true]);
  expect(hits('a', 210, 1)).toEqual([false]);
  expect(hits('a', 270, 2)).toEqual([true, false]);
  expect(hits('a', 60_000, 5)).toEqual([true, true, true, true, false]);
});

test('an arrival that another process reports moves a known key on, never back', () => {
  const limiter = new LocalLimiter(rate, 10);
  limiter.hit('key', 1_000);
  limiter.advance('key', 31_000);
  limiter.advance('key', 2_000);
  limiter.advance('unknown', 61_000);
  expect(limiter.hit('key', 1_000, 0).remaining).toBe(150);
  expect(limiter.hit('unknown', 1_000, 0).remaining).toBe(300);
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
