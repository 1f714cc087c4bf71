import { expect, test } from 'vitest';
import { islandMessages } from '#content/island-messages.ts';
import { messages } from '#content/messages.ts';
import { messageReader } from '../../platform/text/message-reader.ts';
import { axisText, exactText } from './labels.ts';

const english = messageReader(islandMessages(messages('en-US'), 'analytics.', 'format.'));

test('axes write large numbers in short, tables write them in full', () => {
  expect(axisText(english, 'downloads', 1_234_567)).toBe('1.2M');
  expect(exactText(english, 'downloads', 1_234_567)).toBe('1,234,567');
});

test('one hour is no plural', () => {
  expect(exactText(english, 'playtime', 3_600)).toBe('1 hour');
  expect(exactText(english, 'playtime', 5_400)).toBe('1.5 hours');
});
