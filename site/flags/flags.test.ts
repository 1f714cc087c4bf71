import { expect, test } from 'vitest';
import { flagDefaults, keptFlags, parseFlags } from './flags.ts';

test('what was never switched is the default, and what is unknown or broken does nothing', () => {
  for (const text of [null, '', '{', 'null', '[]', '7', '{"developerMode":"yes","old":true}'])
    expect([text, parseFlags(text)]).toEqual([text, flagDefaults]);
});

test('only what differs from the defaults is kept, and comes back', () => {
  const flags = { ...flagDefaults, developerMode: true, pageTransitions: false };
  expect(keptFlags(flags)).toBe('{"developerMode":true,"pageTransitions":false}');
  expect(parseFlags(keptFlags(flags))).toEqual(flags);
  expect(keptFlags(flagDefaults)).toBe('{}');
});
