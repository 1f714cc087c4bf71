import { expect, it } from 'vitest';
import type { Currency } from '#db/billing/rules.ts';
import { price, priceText, priceTextWithMonth } from './price.ts';

it.each<[string, number, Currency, boolean, string]>([
  ['en-US', 1200, 'USD', false, '$12.00'],
  ['en-US', 1200, 'USD', true, '$12'],
  ['en-US', 1250, 'USD', true, '$12.50'],
  ['de-DE', 1120, 'EUR', false, '11,20 €'],
  ['en-US', 1840, 'JPY', false, '¥1,840'],
  ['en-US', 3680, 'KWD', false, 'KWD 3.680'],
  ['en-US', 4800000, 'COP', false, '$48,000'],
])('in %s %i of %s (round: %s) is %s', (formatting, minor, currency, round, displayed) => {
  expect(price({ formatting }, minor, currency, { round }).replace(/\u00a0/g, ' ')).toBe(displayed);
});

it.each<[number, 'monthly' | 'quarterly' | 'yearly', Currency, string]>([
  [4, 'monthly', 'USD', '$12 a month'],
  [4, 'quarterly', 'USD', '$30 a quarter, $10 a month'],
  [4, 'yearly', 'USD', '$120 a year, $10 a month'],
  [4, 'yearly', 'EUR', '€112 a year, €9.33 a month'],
])('%i GB, %s in %s cost "%s"', (gb, interval, currency, text) => {
  const each = { monthly: 'a month', quarterly: 'a quarter', yearly: 'a year' };
  const labels = { each, monthly: '{price}, {monthly} a month' };
  const priced = { gb, currency, interval };
  expect(priceTextWithMonth({ formatting: 'en-US' }, priced, labels)).toBe(text);
  expect(priceText({ formatting: 'en-US' }, priced, labels)).toBe(text.split(',')[0]);
});

it('keeps letters and sign of a currency together among words from right to left', () => {
  expect(price({ formatting: 'ar-SA-u-nu-latn' }, 1_200, 'USD')).toBe('\u200f12.00\u00a0\u2066US$\u2069');
  expect(price({ formatting: 'ar-SA-u-nu-latn' }, -1_200, 'USD')).toBe(
    '\u200f\u200e-12.00\u00a0\u2066US$\u2069',
  );
  expect(price({ formatting: 'en-US' }, 1_200, 'USD')).toBe('$12.00');
});
