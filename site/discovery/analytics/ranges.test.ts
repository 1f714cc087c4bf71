import { describe, expect, it } from 'vitest';
import { most_slices, periodOf, type RangeName, rangeNames, slicesAt, slicesOf } from './ranges.ts';

const at = (text: string) => Date.parse(`${text}Z`);
const text = (ms: number) => new Date(ms).toISOString().slice(0, 16);
/** Start, end, and those of the period before, as texts. */
function times(name: RangeName, now: string) {
  const { start, end, before } = periodOf(name, at(now));
  return [start, end, ...(before ? [before.start, before.end] : [])].map(text);
}
// a Friday
const now = '2026-11-27T10:31:30';
const here = '2026-11-27T10:31';

describe('ranges', () => {
  it.each<[RangeName, string[]]>([
    ['30-minutes', ['2026-11-27T10:02', here, '2026-11-27T09:32', '2026-11-27T10:01']],
    ['hour', ['2026-11-27T09:35', here, '2026-11-27T08:35', '2026-11-27T09:31']],
    ['12-hours', ['2026-11-26T22:45', here, '2026-11-26T10:45', '2026-11-26T22:31']],
    ['24-hours', ['2026-11-26T11:00', here, '2026-11-25T11:00', '2026-11-26T10:31']],
    ['today', ['2026-11-27T00:00', here, '2026-11-26T00:00', '2026-11-26T10:31']],
    ['yesterday', ['2026-11-26T00:00', '2026-11-27T00:00', '2026-11-25T00:00', '2026-11-26T00:00']],
    ['this-week', ['2026-11-23T00:00', here, '2026-11-16T00:00', '2026-11-20T10:31']],
    ['last-week', ['2026-11-16T00:00', '2026-11-23T00:00', '2026-11-09T00:00', '2026-11-16T00:00']],
    ['7-days', ['2026-11-21T00:00', here, '2026-11-14T00:00', '2026-11-20T10:31']],
    ['this-month', ['2026-11-01T00:00', here, '2026-10-01T00:00', '2026-10-27T10:31']],
    ['last-month', ['2026-10-01T00:00', '2026-11-01T00:00', '2026-09-01T00:00', '2026-10-01T00:00']],
    ['30-days', ['2026-10-29T00:00', here, '2026-09-29T00:00', '2026-10-28T10:31']],
    ['this-quarter', ['2026-10-01T00:00', here, '2026-07-01T00:00', '2026-08-27T10:31']],
    ['last-quarter', ['2026-07-01T00:00', '2026-10-01T00:00', '2026-04-01T00:00', '2026-07-01T00:00']],
    ['this-year', ['2026-01-01T00:00', here, '2025-01-01T00:00', '2025-11-27T10:31']],
    ['last-year', ['2025-01-01T00:00', '2026-01-01T00:00', '2024-01-01T00:00', '2025-01-01T00:00']],
    ['year', ['2025-11-28T00:00', here, '2024-11-28T00:00', '2025-11-28T00:00']],
    ['two-years', ['2024-11-28T00:00', here, '2022-11-28T00:00', '2024-11-28T00:00']],
    ['all', ['2010-01-01T00:00', here]],
  ])('%s', (name, expected) => {
    expect(times(name, now)).toEqual(expected);
  });

  it('are nineteen, of at most 1024 slices that cover them, below an hour only up to twelve hours', () => {
    expect(rangeNames).toHaveLength(19);
    const moments = [now, '2024-02-29T00:00:00', '2028-12-31T23:59:59', '2040-01-01T00:00:00'];
    for (const name of rangeNames)
      for (const moment of moments) {
        const period = periodOf(name, at(moment));
        const slices = slicesAt(period);
        const step = period.minutes * 60_000;
        expect(slices.length, name).toBe(slicesOf(period));
        expect(slices.length, name).toBeLessThanOrEqual(most_slices);
        expect(slices.at(-1)!, name).toBeLessThan(period.end + (period.end === period.start ? 1 : 0));
        expect(slices.at(-1)! + step, name).toBeGreaterThanOrEqual(period.end);
        if (period.minutes < 60) expect(period.end - period.start).toBeLessThanOrEqual(12 * 3_600_000);
      }
    const minutes = rangeNames.map((name) => periodOf(name, at(now)).minutes);
    expect([Math.min(...minutes), Math.max(...minutes)]).toEqual([1, 28 * 24 * 60]);
  });

  it('begin weeks on Monday, also on a Sunday, a Monday and in the first days of a year', () => {
    expect(times('this-week', '2026-11-29T23:59:59')[0]).toBe('2026-11-23T00:00');
    expect(times('this-week', '2026-11-30T00:00:00')[0]).toBe('2026-11-30T00:00');
    expect(times('last-week', '2027-01-01T12:00:00').slice(0, 2)).toEqual([
      '2026-12-21T00:00',
      '2026-12-28T00:00',
    ]);
  });

  it('know leap years and the lengths of months', () => {
    expect(times('year', '2024-02-29T12:00:00')[0]).toBe('2023-03-01T00:00');
    expect(times('year', '2025-02-28T12:00:00')[0]).toBe('2024-02-29T00:00');
    expect(slicesOf({ ...periodOf('last-month', at('2024-03-31T08:00:00')) })).toBe(29);
    expect(slicesOf({ ...periodOf('last-month', at('2025-03-31T08:00:00')) })).toBe(28);
    // February ends before the 31st
    expect(times('this-month', '2025-03-31T08:00:00').slice(2)).toEqual([
      '2025-02-01T00:00',
      '2025-03-01T00:00',
    ]);
    expect(times('last-month', '2026-01-15T00:00:00').slice(0, 2)).toEqual([
      '2025-12-01T00:00',
      '2026-01-01T00:00',
    ]);
    expect(times('last-quarter', '2026-02-10T00:00:00').slice(0, 2)).toEqual([
      '2025-10-01T00:00',
      '2026-01-01T00:00',
    ]);
  });
});
