import { expect, it } from 'vitest';
import { currencies } from '../../data/currencies.ts';
import { planChange } from '../../plan-change/rules.ts';
import { intervals, priceOf } from '../../rules.ts';
import { fromStripe, toStripe } from './amounts.ts';

it.each([
  ['USD', 1234, 1234],
  ['JPY', 500, 500],
  ['CLP', 2800, 2800],
  ['BHD', 1230, 1230],
  ['KWD', 1230, 1230],
  // hundredths in payments, though Stripe pays out whole ones
  ['HUF', 110_000, 110_000],
  ['TWD', 9600, 9600],
  // no minor units, and counted in hundredths all the same
  ['ISK', 5, 500],
  ['UGX', 5, 500],
])('counts %s as Stripe does', (currency, ours, theirs) => {
  expect(toStripe(ours, currency)).toBe(theirs);
  expect(fromStripe(theirs, currency.toLowerCase())).toBe(ours);
});

it('charges no thousandths, nothing, less than nothing, parts and amounts beyond numbers', () => {
  expect(toStripe(1234, 'BHD')).toBeNull();
  for (const amount of [0, -5, 1.5, Number.NaN, 2 ** 53]) expect(toStripe(amount, 'USD')).toBeNull();
});

it('can charge every price and every rest of a changed plan, in every currency', () => {
  const period_start = new Date('2026-01-01T00:00:00Z');
  const period_end = new Date('2026-02-01T00:00:00Z');
  for (const currency of Object.keys(currencies) as Array<keyof typeof currencies>) {
    for (const term of Object.keys(intervals) as Array<keyof typeof intervals>)
      expect(toStripe(priceOf(4, currency, term), currency), `${currency} ${term}`).not.toBeNull();
    const paid = { plan: 'small', ram_gb: 4, term: 'monthly', currency, period_start, period_end } as const;
    const paid_minor = priceOf(4, currency, 'monthly');
    for (const day of [1, 2, 9, 17, 30]) {
      const now = new Date(Date.UTC(2026, 0, day, 7, 13, 1));
      const change = planChange(
        { ...paid, paid_minor },
        { plan: 'large', ram_gb: null, interval: 'monthly' },
        now,
      );
      expect(toStripe(change.due_minor, currency), `${currency} on day ${day}`).not.toBeNull();
    }
  }
});
