import { expect, test } from 'vitest';
import { flagDefaults, parseFlags, storedFlags } from './flags.ts';

test('an unset flag has its default, unknown or broken values are ignored', () => {
  for (const text of [null, '', '{', 'null', '[]', '7', '{"developerMode":"yes","old":true}'])
    expect([text, parseFlags(text)]).toEqual([text, flagDefaults]);
});

test('only non-default flags are stored, and restored', () => {
  const flags = { ...flagDefaults, developerMode: true, pageTransitions: false };
  expect(storedFlags(flags)).toBe('{"developerMode":true,"pageTransitions":false}');
  expect(parseFlags(storedFlags(flags))).toEqual(flags);
  expect(storedFlags(flagDefaults)).toBe('{}');
});
