import { expect, it } from 'vitest';
import { changeOf, linesOf, rowsOf, seriesOf, withoutEmptyStart } from './series.ts';

const period = { start: 0, end: 180_000, minutes: 1 };
const downloads = (source_project: string, amount: number, more = {}) => ({
  source_project,
  metric_kind: 'downloads',
  downloads: amount,
  ...more,
});

it('a series counts its metric by slice and project, and slices without counts are zero', () => {
  const slices = [
    [downloads('A', 2), downloads('B', 5)],
    [],
    [downloads('A', 4), { ...downloads('A', 9), metric_kind: 'views' }],
  ];
  expect(seriesOf(slices, 'downloads', period)).toEqual({
    times: [0, 60_000, 120_000],
    totals: [7, 0, 4],
    sum: 11,
    projects: [
      { id: 'A', values: [2, 0, 4], sum: 6 },
      { id: 'B', values: [5, 0, 0], sum: 5 },
    ],
  });
});

it('playtime is counted in seconds', () => {
  const entry = { source_project: 'A', metric_kind: 'playtime', seconds: 90 };
  expect(seriesOf([[entry]], 'playtime', { ...period, end: 60_000 }).sum).toBe(90);
});

it('more than fifteen projects share a line', () => {
  const entries = Array.from({ length: 18 }, (_, place) => downloads(`P${place}`, 100 - place));
  const { own, others } = linesOf(seriesOf([entries], 'downloads', { ...period, end: 1 }));
  expect(own).toHaveLength(15);
  expect(others).toEqual({ count: 3, values: [85 + 84 + 83], sum: 252 });
});

it('what is empty at the beginning is left out, but for one slice', () => {
  const shown = withoutEmptyStart([[], [], [], [downloads('A', 1)], []], {
    start: 0,
    end: 300_000,
    minutes: 1,
  });
  expect(shown.slices).toHaveLength(3);
  expect(shown.period.start).toBe(120_000);
  expect(withoutEmptyStart([[], [], []], period).slices).toHaveLength(2);
});

it('a breakdown sums up by its dimension over projects', () => {
  const slices = [
    [
      downloads('A', 2, { country: 'DE' }),
      downloads('B', 3, { country: 'DE' }),
      downloads('A', 4, { country: 'FR' }),
    ],
  ];
  expect(rowsOf(slices, 'downloads', 'country')).toEqual([
    { value: 'DE', project: 'A', amount: 5 },
    { value: 'FR', project: 'A', amount: 4 },
  ]);
  expect(rowsOf(slices, 'downloads', 'project').map(({ value, amount }) => [value, amount])).toEqual([
    ['A', 6],
    ['B', 3],
  ]);
});

it('a change needs something to change from', () => {
  expect([changeOf(100, 150), changeOf(100, 0), changeOf(0, 5)]).toEqual([0.5, -1, null]);
});
