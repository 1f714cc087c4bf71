import { expect, it } from 'vitest';
import { type Currency, currencies } from '#db/money/billing/rules.ts';
import { dollars, price, priceText, priceTextWithMonth } from './price.ts';

it.each<[string, number, Currency, string]>([
  ['en-US', 1200, 'USD', '$12.00'],
  ['en-US', 1250, 'USD', '$12.50'],
  ['en-US', 10_000_000, 'USD', '$100,000.00'],
  ['de-DE', 1120, 'EUR', '11,20 €'],
  ['en-US', 1840, 'JPY', '¥1,840'],
  ['en-US', 3680, 'KWD', 'KWD 3.680'],
  ['en-US', 4800000, 'COP', '$48,000'],
])('in %s %i of %s is %s', (formatting, minor, currency, displayed) => {
  expect(price({ formatting }, minor, currency).replace(/\u00a0/g, ' ')).toBe(displayed);
});

it('rounds what was earned down to whole cents', () => {
  const texts = [1_234.99, 12_345_678.9, 0].map((cents) => dollars({ formatting: 'en-US' }, cents));
  expect(texts).toEqual(['$12.34', '$123,456.78', '$0.00']);
});

it.each<[number, 'monthly' | 'quarterly' | 'yearly', Currency, string]>([
  [4, 'monthly', 'USD', '$12.00 a month'],
  [4, 'quarterly', 'USD', '$30.00 a quarter, $10.00 a month'],
  [4, 'yearly', 'USD', '$120.00 a year, $10.00 a month'],
  [4, 'yearly', 'EUR', '€112.00 a year, €9.33 a month'],
])('%i GB, %s in %s cost "%s"', (gb, interval, currency, text) => {
  const each = { monthly: 'a month', quarterly: 'a quarter', yearly: 'a year' };
  const labels = { each, monthly: '{price}, {monthly} a month' };
  const priced = { gb, currency, interval };
  expect(priceTextWithMonth({ formatting: 'en-US' }, priced, labels)).toBe(text);
  expect(priceText({ formatting: 'en-US' }, priced, labels)).toBe(text.split(',')[0]);
});

it('keeps letters and sign of a currency together among words from right to left', () => {
  expect(price({ formatting: 'ar-SA-u-nu-latn' }, 1_200, 'USD')).toBe('\u200f12.00\u00a0\u2068US$\u2069');
  expect(price({ formatting: 'ar-SA-u-nu-latn' }, -1_200, 'USD')).toBe(
    '\u200f\u200e-12.00\u00a0\u2068US$\u2069',
  );
  expect(price({ formatting: 'en-US' }, 1_200, 'USD')).toBe('$12.00');
});

it('writes a symbol of Arabic letters in their direction', () => {
  expect(price({ formatting: 'ar-SA-u-nu-latn' }, 4_400, 'SAR')).toBe(
    '\u200f44.00\u00a0\u2068ر.س.\u2069\u200f',
  );
  for (const currency of Object.keys(currencies) as Currency[])
    expect(price({ formatting: 'ar-SA-u-nu-latn' }, 4_400, currency)).not.toContain('\u2066');
});
