import { expect, test } from 'vitest';
import { plusPriceOf } from '#db/billing/plus/rules.ts';
import { type Currency, currencies, type Interval, intervals } from '#db/billing/rules.ts';
import { cheapestInterval } from './prices.ts';

const monthly = (currency: Currency, interval: Interval) =>
  plusPriceOf(currency, interval) / intervals[interval];

test('what Plus recommends costs least a month, in every currency', () => {
  expect(cheapestInterval('USD')).toBe('quarterly');
  for (const currency of Object.keys(currencies) as Currency[]) {
    const all = (Object.keys(intervals) as Interval[]).map((interval) => monthly(currency, interval));
    expect([currency, monthly(currency, cheapestInterval(currency))]).toEqual([currency, Math.min(...all)]);
  }
});
