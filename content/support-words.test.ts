import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/*
 * Texts that send people to support are shown only beside a link to it, which an installation may not have: each is named
 * here, and its place asks `SUPPORT_LINK`.
 */
const linked = [
  'buying.ask_staff',
  'buying.outlook_full_support',
  'buying.outlook_small_support',
  'create.limit_near',
  'create.limit_reached',
  'mail.support',
  'problem.support_hint',
  'servers.support',
];
const sends = /\b(contact|ask|write to|message) (the )?(staff|support|us)\b|\bsupport (can|helps)\b/i;

it('sends nobody to support in a text without a link', () => {
  const folder = new URL('./locales/en-US/', import.meta.url);
  const texts = readdirSync(folder).flatMap((file) =>
    Object.entries(JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Record<string, string>),
  );
  expect(texts.length).toBeGreaterThan(1_000);
  const found = texts.filter(([, text]) => sends.test(text)).map(([key]) => key);
  expect(found.sort()).toEqual(linked);
});
