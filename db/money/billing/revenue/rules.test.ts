import { describe, expect, it } from 'vitest';
import {
  decimalOfMicros,
  decimalOfMinor,
  feesOf,
  maxIncome,
  periodOf,
  releaseOf,
  sharedOf,
  whyNotIncome,
} from './rules.ts';

const now = new Date('2026-11-27T08:00:00Z');
const income = { day: '2026-11-26', source: 'ads', amount_minor: 1, impressions: 0 } as const;

describe('income', () => {
  it.each([
    ['2026-11-26', null],
    ['2026-11-27', 'income_day_ahead'],
    ['2027-01-01', 'income_day_ahead'],
    ['1999-12-31', 'income_day_unknown'],
    ['2026-02-30', 'income_day_unknown'],
    ['2026-11-26T00:00:00Z', 'income_day_unknown'],
    ['yesterday', 'income_day_unknown'],
    ['', 'income_day_unknown'],
  ])('of the day %s is %s', (day, why) => {
    expect(whyNotIncome({ ...income, day }, 0, now)).toBe(why);
  });

  it.each([0, -1, 0.5, Number.NaN, maxIncome + 1, Number.POSITIVE_INFINITY, 2 ** 60])(
    'is not %s minor units',
    (amount_minor) => {
      expect(whyNotIncome({ ...income, amount_minor }, 0, now)).toBe('income_amount');
    },
  );

  it('has whole impressions, and fees that it covers', () => {
    expect(whyNotIncome({ ...income, amount_minor: maxIncome }, maxIncome, now)).toBeNull();
    expect(whyNotIncome({ ...income, impressions: -1 }, 0, now)).toBe('income_impressions');
    expect(whyNotIncome({ ...income, impressions: 1.5 }, 0, now)).toBe('income_impressions');
    expect(whyNotIncome(income, 2, now)).toBe('income_below_fees');
    expect([feesOf(0, 500), feesOf(1, 500), feesOf(20, 500), feesOf(21, 500)]).toEqual([0, 1, 1, 2]);
  });

  it('goes to creators by three quarters of ads, rounded down, and by all that is entered of Plus', () => {
    expect([1, 2, 3, 4, 100].map((net) => sharedOf('ads', net))).toEqual([0, 1, 2, 3, 75]);
    expect(sharedOf('plus', 101)).toBe(101);
  });
});

describe('a release', () => {
  it.each([
    ['2026-11-01', '2027-01-29'],
    ['2026-12-01', '2027-03-01'],
    ['2027-12-01', '2028-02-29'],
    ['2027-01-01', '2027-04-01'],
  ])('of %s is on %s, 59 days after the first of the next month', (month, day) => {
    expect(releaseOf(month).toISOString()).toBe(`${day}T00:00:00.000Z`);
  });

  it('is that of the current month for what comes after a release', () => {
    expect(periodOf('2026-11-26', now)).toBe('2026-11-01');
    expect(periodOf('2026-09-30', now)).toBe('2026-09-01');
    expect(periodOf('2026-09-30', new Date('2026-11-29T00:00:00Z'))).toBe('2026-11-01');
    expect(periodOf('2001-01-01', now)).toBe('2026-11-01');
  });
});

it.each([
  [0, '0'],
  [1, '0.000001'],
  [10_000, '0.01'],
  [1_234_500, '1.2345'],
  [-1_500_000, '-1.5'],
  [12_000_000, '12'],
])('%i millionths are %s dollars', (micros, text) => {
  expect(decimalOfMicros(micros)).toBe(text);
  if (micros % 10_000 === 0) expect(decimalOfMinor(micros / 10_000)).toBe(text);
});
