import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type MessageKey, messages } from '#content/messages.ts';

/** Who sees the name of a server, as its order and its options say. */
const hints: Array<[file: string, hint: MessageKey]> = [
  ['checkout/ReviewStep.astro', 'buying.name_hint'],
  ['panel/options/general/NamePart.tsx', 'server_general.name_hint'],
];

test.each(hints)('%s says who sees the name of a server', (file, hint) => {
  expect(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')).toContain(`'${hint}'`);
  expect(messages('en-US').t(hint)).toMatch(/^You and the people you share the server with see it\. /);
});
