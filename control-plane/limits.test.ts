import { describe, expect, it } from 'vitest';
import { Bucket, Buckets, Tally } from './limits.ts';

describe('a bucket', () => {
  it('lets as many through at once as a second has, then one by one', () => {
    const bucket = new Bucket(4, 1_000);
    const taken = () => [1, 2, 3, 4, 5].map(() => bucket.take(1_000));
    expect(taken()).toEqual([true, true, true, true, false]);
    expect(bucket.take(1_200)).toBe(false);
    expect(bucket.take(1_260)).toBe(true);
    expect(bucket.take(1_260)).toBe(false);
  });

  it('saves up no more than a second of them, and is not confused by a clock that goes back', () => {
    const bucket = new Bucket(2, 0);
    expect([bucket.take(60_000), bucket.take(60_000), bucket.take(60_000)]).toEqual([true, true, false]);
    expect(bucket.take(0)).toBe(false);
  });
});

describe('buckets', () => {
  it('measure each key for itself', () => {
    const buckets = new Buckets(1);
    expect([buckets.take('a', 0), buckets.take('a', 0), buckets.take('b', 0)]).toEqual([true, false, true]);
  });
});

describe('a tally', () => {
  it('counts what is there, not what was', () => {
    const tally = new Tally();
    expect([1, 2, 3].map(() => tally.enter('a', 2))).toEqual([true, true, false]);
    tally.leave('a');
    expect([tally.enter('a', 2), tally.enter('a', 2), tally.enter('b', 1)]).toEqual([true, false, true]);
  });
});
