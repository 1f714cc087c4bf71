import { expect, test } from 'vitest';
import { firstOfMonth } from './rules.ts';

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
