import { expect, test } from 'vitest';
import type { Refused } from '../../platform/errors.ts';
import type { SearchEngine } from './engine.ts';
import { whileDatabaseAway } from './while-database-away.ts';

const found = { ids: ['one'] };
const engine = (confirmed_ago_ms: number | null): SearchEngine =>
  ({
    name: 'embedded',
    search: async () => found,
    count: async () => found,
    hits: async () => [found],
    ...(confirmed_ago_ms !== null && { confirmedAt: () => performance.now() - confirmed_ago_ms }),
  }) as unknown as SearchEngine;
const outage = (ago_ms: number | null) => ({
  awaySince: () => (ago_ms === null ? null : performance.now() - ago_ms),
});
const outcome = async (one: SearchEngine): Promise<string> => {
  const works = [
    () => one.search({} as never),
    () => one.count({} as never),
    () => one.hits({} as never, 2, {} as never),
  ];
  const all = await Promise.all(
    works.map((work) =>
      work().then(
        () => 'answered',
        (error: Refused) => error.code,
      ),
    ),
  );
  expect(new Set(all).size).toBe(1);
  return all[0]!;
};

test.each([
  // away for, index confirmed before, limit
  [null, 60_000, 600_000, 'answered'],
  [5_000, 6_000, 600_000, 'answered'],
  [5_000, 7_500, 600_000, 'database_away'],
  [5_000, 6_000, 4_000, 'database_away'],
  [5_000, 6_000, 0, 'database_away'],
  [5_000, null, 600_000, 'database_away'],
])('away for %s ms, confirmed %s ms ago, at most %s ms: %s', async (since, confirmed, limit, expected) => {
  expect(await outcome(whileDatabaseAway(engine(confirmed), outage(since), limit))).toBe(expected);
});
