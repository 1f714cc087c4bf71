import { expect, it } from 'vitest';
import { earnedOf, shownDaysOf } from './shown-days.ts';

it.each([
  ['', 30],
  ['days=90', 90],
  ['days=365', 365],
  ['days=366', 30],
  ['days=-1', 30],
  ['days=90.0', 30],
])('the query %j shows %i days', (query, days) => {
  expect(shownDaysOf(new URLSearchParams(query))).toBe(days);
});

it('adds up days and projects, the most first', () => {
  const rows = [
    { slice: 0, project_id: 'a', micros: 5_000 },
    { slice: 0, project_id: 'b', micros: 10_000 },
    { slice: 2, project_id: 'b', micros: 20_000 },
  ];
  expect(earnedOf(rows, 3)).toEqual({
    cents: [1.5, 0, 2],
    projects: [
      { id: 'b', cents: 3 },
      { id: 'a', cents: 0.5 },
    ],
  });
  expect(earnedOf([], 2)).toEqual({ cents: [0, 0], projects: [] });
});
