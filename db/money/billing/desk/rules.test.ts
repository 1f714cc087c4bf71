import { expect, test } from 'vitest';
import { firstOfMonth, monthsBefore, reportRange } from './rules.ts';

test.each([
  ['2026-11', '2026-11-01'],
  ['2000-01', '2000-01-01'],
  ['2999-12', '2999-12-01'],
  // a year that the database does not know
  ['0000-01', undefined],
  ['0001-01', undefined],
  ['9999-12', undefined],
  ['2026-00', undefined],
  ['2026-13', undefined],
  ['2026-11-01', undefined],
  ['', undefined],
])('the month %s begins on %s', (text, first) => {
  expect(firstOfMonth(text)).toBe(first);
});

test.each([
  ['', '', '2025-12-01', '2026-11-01'],
  ['2026-02', '', '2026-02-01', '2026-11-01'],
  ['', '2025-03', '2024-04-01', '2025-03-01'],
  ['2026-03', '2026-03', '2026-03-01', '2026-03-01'],
  // the other way round, no month, and longer than a report may be
  ['2026-05', '2026-03', '2026-03-01', '2026-05-01'],
  ['0000-01', '2026-13', '2025-12-01', '2026-11-01'],
  ['2001-01', '2026-11', '2021-12-01', '2026-11-01'],
])('a report from %s until %s has the months from %s until %s', (from, until, first, last) => {
  expect(reportRange(from, until, new Date('2026-11-27T08:00:00Z'))).toEqual({ from: first, until: last });
});

test('months are counted over years', () => {
  expect([monthsBefore('2026-01-01', 1), monthsBefore('2026-12-01', -1)]).toEqual([
    '2025-12-01',
    '2027-01-01',
  ]);
});
