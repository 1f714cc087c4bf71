import { expect, test } from 'vitest';
import { trendOf } from './overview.server.ts';

test('the last thirty days are shown and those before them are compared', () => {
  const trend = trendOf([
    { slice: 0, amount: 3 },
    { slice: 29, amount: 4 },
    { slice: 30, amount: 5 },
    { slice: 59, amount: 6 },
    { slice: 60, amount: 100 },
  ]);
  expect(trend).toMatchObject({ sum: 11, before: 7 });
  expect(trend.amounts).toHaveLength(30);
  expect([trend.amounts[0], trend.amounts[29]]).toEqual([5, 6]);
});
