import { describe, expect, test } from 'vitest';
import { messages } from '#content/messages.ts';
import { sizeText } from './bytes.ts';
import { day, exactDate, month } from './dates.ts';
import { exactNumber, headerName, relativeDate, relativeStep, tagName } from './format.ts';
import { money } from './money.ts';
import { compact, count } from './short-numbers.ts';

const english = messages('en-US');

describe('counts', () => {
  test.each([
    [0, '0'],
    [999, '999'],
    [1000, '1,000'],
    [9999, '9,999'],
    [10_000, '10.0k'],
    [12_345, '12.3k'],
    [999_999, '999.9k'],
    [1_000_000, '1.00M'],
    [1_234_567, '1.23M'],
    [1_239_999, '1.23M'],
    [1_234_567_890, '1,234.56M'],
  ])('%d is formatted as %s', (number, text) => {
    expect(count(english, number)).toBe(text);
  });

  test('the exact count is grouped', () => {
    expect(exactNumber(english, 1_234_567)).toBe('1,234,567');
  });
});

test.each([
  [950, '950'],
  [1000, '1.0K'],
  [1999, '1.9K'],
  [3_456_789, '3.4M'],
  [5_600_000_000, '5.6G'],
  [7_899_999_999_999, '7.8T'],
  [-1500, '-1.5K'],
])('%d in compact form is %s', (number, text) => {
  expect(compact(english, number)).toBe(text);
});

test.each([
  [0, '$0.00'],
  [1234, '$12.34'],
  [1234.99, '$12.34'],
  [999_999, '$9,999.99'],
  [1_000_000, '$10.00k'],
  [1_234_567, '$12.34k'],
  [99_999_999, '$999.99k'],
  [100_000_000, '$1.00M'],
  [123_999_999, '$1.23M'],
  [-5000, '-$50.00'],
])('%d cents are formatted as %s', (cents, text) => {
  expect(money(english, cents)).toBe(text);
});

test('no amount below 10,000 dollars loses a cent', () => {
  const wrong = Array.from({ length: 20_000 }, (_, step) => step * 49).filter(
    (cents) => money(english, cents).replace(/[$,.]/g, '') !== String(cents).padStart(3, '0'),
  );
  expect(wrong).toEqual([]);
});

test.each([
  [0, '0 B'],
  [1023, '1,023 B'],
  [1024, '1.00 KB'],
  [1_572_864, '1.50 MB'],
  [524_288_000, '500.00 MB'],
  [2 ** 40, '1,024.00 GB'],
])('%d bytes are formatted as %s', (size, text) => {
  expect(sizeText(english, size)).toBe(text);
});

test.each([
  ['2026-01-01T00:00:30Z', 'now'],
  ['2025-12-31T23:59:00Z', '1 minute ago'],
  ['2025-12-31T22:00:00Z', '2 hours ago'],
  ['2025-12-31T00:00:00Z', 'yesterday'],
  ['2025-12-20T00:00:00Z', 'last week'],
  ['2025-10-01T00:00:00Z', '3 months ago'],
  ['2023-01-01T00:00:00Z', '3 years ago'],
  ['2026-01-03T00:00:00Z', 'in 2 days'],
])('%s relative to new year 2026 is %s', (date, text) => {
  expect(relativeDate(english, date, new Date('2026-01-01T00:00:00Z'))).toBe(text);
});

test.each([
  ['2026-01-03', 'tomorrow'],
  ['2026-01-02', 'today'], // it begins in a minute
  ['2026-01-01', 'today'],
  ['2025-12-31', 'yesterday'],
  ['2025-12-29', '3 days ago'],
  ['2025-12-01', 'last month'],
])('the day %s is %s on the evening of new year 2026', (date, text) => {
  expect(relativeDate(english, date, new Date('2026-01-01T23:59:00Z'))).toBe(text);
});

test('exact dates name their time zone, days do not', () => {
  expect(exactDate(english, '2023-02-05')).toBe('February 5, 2023');
  expect(exactDate(english, '2023-02-05T19:39:55Z')).toBe('February 5, 2023 at 7:39 PM UTC');
  expect(day(english, '2023-02-05T23:39:55Z')).toBe('February 5, 2023');
});

test('tags have display names, unknown ones keep their own', () => {
  expect(tagName(english, '8x-')).toBe('8x or lower');
  expect(tagName(english, '512x+')).toBe('512x or higher');
  expect(tagName(english, 'neoforge')).toBe('NeoForge');
  expect(tagName(english, 'somethingelse')).toBe('Somethingelse');
  expect(headerName(english, 'performance impact')).toBe('Performance impact');
});

/** Without non-breaking spaces and direction marks. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ').replace(/[\u200e\u200f]/g, '');

test.each([
  ['en-US', '1,234', '12.3k', '$1,234.50', '3 days ago', 'February 5, 2023', 'February 2023'],
  ['de-CH', "1'234", '12.3k', "$ 1'234.50", 'vor 3 Tagen', '5. Februar 2023', 'Februar 2023'],
  ['fr-FR', '1 234', '12,3k', '1 234,50 $', 'il y a 3 jours', '5 février 2023', 'février 2023'],
  ['hi-IN', '1,234', '12.3k', '$1,234.50', '3 दिन पहले', '5 फ़रवरी 2023', 'फ़रवरी 2023'],
  ['pl-PL', '1234', '12,3k', '1234,50 $', '3 dni temu', '5 lutego 2023', 'luty 2023'],
  ['pt-BR', '1.234', '12,3k', '$ 1.234,50', 'há 3 dias', '5 de fevereiro de 2023', 'fevereiro de 2023'],
  ['ja-JP', '1,234', '12.3k', '$1,234.50', '3 日前', '2023年2月5日', '2023年2月'],
  ['he-IL', '1,234', '12.3k', '1,234.50 $', 'לפני 3 ימים', '5 בפברואר 2023', 'פברואר 2023'],
  [
    'ar-SA-u-ca-gregory-nu-latn',
    '1,234',
    '12.3k',
    '1,234.50 US$',
    'قبل 3 أيام',
    '5 فبراير 2023',
    'فبراير 2023',
  ],
])('%s has its own separators, signs and dates', (formatting, ...texts) => {
  const spoken = { ...english, formatting };
  const date = '2023-02-05T12:00:00Z';
  expect(
    [
      exactNumber(spoken, 1234),
      count(spoken, 12_345),
      money(spoken, 123_450),
      relativeDate(spoken, date, new Date('2023-02-08T12:00:00Z')),
      day(spoken, date),
      month(spoken, date),
    ].map(plain),
  ).toEqual(texts);
});

test.each([
  ['2025-12-28T23:00:00Z', '-3 day'],
  ['2025-12-31T23:59:30Z', '0 second'],
  ['2026-01-01', '0 day'],
  ['2027-03-01', '1 year'],
])('the step of %s is %s', (date, step) => {
  expect(relativeStep(date, new Date('2026-01-01T00:00:00Z'))).toBe(step);
});
