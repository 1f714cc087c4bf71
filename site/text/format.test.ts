import { describe, expect, test } from 'vitest';
import { messages } from '#content/messages.ts';
import { bytes, count, day, exactDate, exactNumber, headerName, relativeDate, tagName } from './format.ts';

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
  ])('%d is shown as %s', (number, text) => {
    expect(count(english, number)).toBe(text);
  });

  test('the exact count is grouped', () => {
    expect(exactNumber(english, 1_234_567)).toBe('1,234,567');
  });
});

test.each([
  [0, '0 B'],
  [1023, '1,023 B'],
  [1024, '1.00 KiB'],
  [1_572_864, '1.50 MiB'],
  [524_288_000, '500.00 MiB'],
  [2 ** 40, '1,024.00 GiB'],
])('%d bytes are shown as %s', (size, text) => {
  expect(bytes(english, size)).toBe(text);
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
])('%s seen at new year 2026 is %s', (date, text) => {
  expect(relativeDate(english, date, new Date('2026-01-01T00:00:00Z'))).toBe(text);
});

test('exact dates name their zone, days do not', () => {
  expect(exactDate(english, '2023-02-05T19:39:55Z')).toBe('February 5, 2023 at 7:39 PM UTC');
  expect(day(english, '2023-02-05T23:39:55Z')).toBe('February 5, 2023');
});

test('tags have names for people, unknown ones keep theirs', () => {
  expect(tagName(english, '8x-')).toBe('8× or lower');
  expect(tagName(english, '512x+')).toBe('512× or higher');
  expect(tagName(english, 'neoforge')).toBe('NeoForge');
  expect(tagName(english, 'somethingelse')).toBe('Somethingelse');
  expect(headerName(english, 'performance impact')).toBe('Performance impact');
});
