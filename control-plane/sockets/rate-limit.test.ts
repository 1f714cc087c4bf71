import { describe, expect, it } from 'vitest';
import { ConnectionCounter, TokenBucket, TokenBuckets } from './rate-limit.ts';

describe('a token bucket', () => {
  it('lets as many through at once as a second has, then one by one', () => {
    const bucket = new TokenBucket(4, 1_000);
    const taken = () => [1, 2, 3, 4, 5].map(() => bucket.take(1_000));
    expect(taken()).toEqual([true, true, true, true, false]);
    expect(bucket.take(1_200)).toBe(false);
    expect(bucket.take(1_260)).toBe(true);
    expect(bucket.take(1_260)).toBe(false);
  });

  it('saves up no more than a second of them, and is not confused by a clock that goes back', () => {
    const bucket = new TokenBucket(2, 0);
    expect([bucket.take(60_000), bucket.take(60_000), bucket.take(60_000)]).toEqual([true, true, false]);
    expect(bucket.take(0)).toBe(false);
  });
});

describe('token buckets', () => {
  it('measure each key for itself', () => {
    const buckets = new TokenBuckets(1);
    expect([buckets.take('a', 0), buckets.take('a', 0), buckets.take('b', 0)]).toEqual([true, false, true]);
  });
});

describe('a connection counter', () => {
  it('counts what is there, not what was', () => {
    const counter = new ConnectionCounter();
    expect([1, 2, 3].map(() => counter.enter('a', 2))).toEqual([true, true, false]);
    counter.leave('a');
    expect([counter.enter('a', 2), counter.enter('a', 2), counter.enter('b', 1)]).toEqual([
      true,
      false,
      true,
    ]);
  });
});
