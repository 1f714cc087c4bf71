import { expect, it } from 'vitest';
import { islandMessages } from '#content/island-messages.ts';
import { messages } from '#content/messages.ts';
import { messageReader } from '../../../platform/text/message-reader.ts';
import { axisText, valueText } from './units.ts';

const reader = messageReader(islandMessages(messages('en-US'), 'server_figures.'));

it('writes whole values of an axis without decimals, and those beside a name with one', () => {
  const both = (unit: Parameters<typeof axisText>[1], value: number) => [
    axisText(reader, unit, value),
    valueText(reader, unit, value),
  ];
  expect(both('percent', 50)).toEqual(['50%', '50.0%']);
  expect(both('mb', 4_096)).toEqual(['4 GB', '4.0 GB']);
  expect(both('mb', 1_536)).toEqual(['1.5 GB', '1.5 GB']);
  expect(both('bytes_s', 500)).toEqual(['0.5 kB/s', '0.5 kB/s']);
  expect(both('ms', 0)).toEqual(['0', '0.0 ms']);
  expect(both('count', 3)).toEqual(['3', '3']);
});
