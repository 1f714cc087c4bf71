import { expect, test } from 'vitest';
import { flagDefaults, parseFlags, storedFlags } from './flags.ts';

test('what was never switched is the default, and what is unknown or broken does nothing', () => {
  for (const text of [null, '', '{', 'null', '[]', '7', '{"developerMode":"yes","old":true}'])
    expect([text, parseFlags(text)]).toEqual([text, flagDefaults]);
});

test('only what differs from the defaults is kept, and comes back', () => {
  const flags = { ...flagDefaults, developerMode: true, pageTransitions: false };
  expect(storedFlags(flags)).toBe('{"developerMode":true,"pageTransitions":false}');
  expect(parseFlags(storedFlags(flags))).toEqual(flags);
  expect(storedFlags(flagDefaults)).toBe('{}');
});
