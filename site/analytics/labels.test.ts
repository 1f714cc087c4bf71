import { expect, test } from 'vitest';
import { messages } from '#content/messages.ts';
import { axisText, exactText } from './labels.ts';

const english = messages('en-US');

test('axes write large numbers in short, tables write them in full', () => {
  expect(axisText(english, 'downloads', 1_234_567)).toBe('1.2M');
  expect(exactText(english, 'downloads', 1_234_567)).toBe('1,234,567');
});

test('one hour is no plural', () => {
  expect(exactText(english, 'playtime', 3_600)).toBe('1 hour');
  expect(exactText(english, 'playtime', 5_400)).toBe('1.5 hours');
});
