import fc from 'fast-check';
import { expect, it } from 'vitest';
import { minorTyped, plainNumber } from './typed-number.ts';

it.each([
  ['12.50', 1_250],
  ['12,50', 1_250],
  [' 12.50', 1_250],
  ['\u00a012,5\u00a0', 1_250],
  ['12', 1_200],
  ['0', 0],
  ['0.05', 5],
  ['١٢٫٥٠', 1_250],
  ['۱۲٫۵', 1_250],
  ['\u200f١٢.٥٠\u200e', 1_250],
  ['999999999999.99', 99_999_999_999_999],
  ['', null],
  [' ', null],
  ['12.', null],
  ['.5', null],
  ['12.345', null],
  ['12.500', null],
  ['1,250', null],
  ['1.250,50', null],
  ['١٬٢٥٠', null],
  ['12 50', null],
  ['-5', null],
  ['+5', null],
  ['1e3', null],
  ['$5', null],
  ['0x10', null],
  ['NaN', null],
  ['1000000000000', null],
])('reads %j as %j cents', (typed, minor) => {
  expect(minorTyped(typed)).toBe(minor);
});

it.each([
  ['500', 0, 500],
  ['500.0', 0, null],
  ['1,250', 3, 1_250],
  ['1.2', 3, 1_200],
])('reads %j with %i decimals as %j', (typed, decimals, minor) => {
  expect(minorTyped(typed, decimals)).toBe(minor);
});

it('reads each amount as all languages of the site write it', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 100_000_000 }),
      fc.constantFrom('en-US', 'de-DE', 'ar-SA', 'ar-SA-u-nu-arab', 'fa-IR'),
      (minor, language) => {
        const format = new Intl.NumberFormat(language, { minimumFractionDigits: 2, useGrouping: false });
        expect(minorTyped(format.format(minor / 100))).toBe(minor);
      },
    ),
  );
});

it('makes a number of what is one, and of nothing else', () => {
  expect(['1,5', '٣', 'x', '1,2,3', ''].map((typed) => Number(plainNumber(typed)))).toEqual([
    ...[1.5, 3, Number.NaN, Number.NaN, 0],
  ]);
});
