import { expect, it } from 'vitest';
import { breakdownRows, exportedObject, timeRows } from './exports.ts';
import { lineStyle } from './line-style.ts';

const exported = {
  choice: { range: 'hour', metric: 'playtime' },
  period: { start: 0, end: 90_000, minutes: 1, before: null },
  times: [0, 60_000],
  lines: [{ key: 'A', name: '=Stones', style: lineStyle(0), values: [5, 7], sum: 12 }],
  by: 'version',
  rows: [{ value: 'V', name: '1.0', project: 'A', amount: 12, note: null, path: null }],
} as const;

it('files say what is shown, with times in UTC and units', () => {
  expect(timeRows(exported)).toEqual([
    ['time', '=Stones'],
    ['1970-01-01T00:00:00.000Z', 5],
    ['1970-01-01T00:01:00.000Z', 7],
  ]);
  expect(breakdownRows(exported)).toEqual([
    ['version', 'name', 'project_id', 'playtime_seconds'],
    ['V', '1.0', 'A', 12],
  ]);
  expect(exportedObject(exported)).toMatchObject({
    metric: 'playtime_seconds',
    lines: [{ id: 'A', sum: 12, values: [5, 7] }],
    breakdown: { by: 'version', rows: [{ value: 'V', amount: 12 }] },
  });
});
