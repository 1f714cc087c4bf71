import { expect, it } from 'vitest';
import { centsOf, shownDaysOf } from './shown-days.ts';

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

it('gives cents by day and project, and the sum of projects without a name', () => {
  const earned = {
    days: [
      { day: 0, micros: 15_000 },
      { day: 2, micros: 20_000 },
    ],
    projects: [
      { project_id: 'b', micros: 30_000 },
      { project_id: 'gone', micros: 2_500 },
      { project_id: 'a', micros: 1_500 },
    ],
    others_micros: 1_000,
  };
  expect(centsOf(earned, 3, new Map(Object.entries({ a: 1, b: 1 })))).toEqual({
    cents: [1.5, 0, 2],
    projects: [
      { id: 'b', cents: 3 },
      { id: 'a', cents: 0.15 },
    ],
    others: 0.35,
  });
  const nothing = { days: [], projects: [], others_micros: 0 };
  expect(centsOf(nothing, 2, new Map())).toEqual({ cents: [0, 0], projects: [], others: 0 });
});
