import { expect, it } from 'vitest';
import type { Currency } from '#db/billing/rules.ts';
import { price } from './price.ts';

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
