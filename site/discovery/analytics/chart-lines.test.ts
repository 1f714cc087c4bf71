import { expect, it } from 'vitest';
import { chartLines, indexOf, stacked } from './chart-lines.ts';
import { seriesOf } from './series.ts';

const reader = { t: (key: string) => key, count: (key: string, count: number) => `${key} ${count}` };
const entries = (amounts: Record<string, number>) =>
  Object.entries(amounts).map(([source_project, downloads]) => ({
    ...{ source_project, metric_kind: 'project_downloads', downloads },
  }));
const series = (...slices: Array<Record<string, number>>) =>
  seriesOf(slices.map(entries), 'downloads', { start: 0, end: slices.length * 60_000, minutes: 1 });
const projects = indexOf(['A', 'B'].map((id) => ({ id, title: `Project ${id}`, path: `/mod/${id}` })));

it('each project has a line in its own style, whatever is the largest', () => {
  const lines = chartLines(reader, { series: series({ A: 1, B: 5 }), before: null, total: false, projects });
  expect(lines.map(({ name, sum }) => [name, sum])).toEqual([
    ['Project B', 5],
    ['Project A', 1],
  ]);
  const alone = chartLines(reader, { series: series({ B: 5 }), before: null, total: false, projects });
  expect(alone[0]!.style).toEqual(lines[0]!.style);
});

it('the total stands beside the period before, slice by slice', () => {
  const before = series({ A: 3 }, { A: 4 });
  const lines = chartLines(reader, { series: series({ A: 1, B: 1 }, {}, {}), before, total: true, projects });
  expect(lines.map(({ key, values }) => [key, values])).toEqual([
    ['total', [2, 0, 0]],
    ['before', [3, 4, 0]],
  ]);
});

it('bars are piled up, the first line on top', () => {
  expect(stacked([{ values: [1, 2] }, { values: [10, 20] }, { values: [100, 200] }])).toEqual([
    [111, 222],
    [110, 220],
    [100, 200],
  ]);
});
