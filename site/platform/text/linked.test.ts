import { expect, it } from 'vitest';
import { linkedParts } from './linked.ts';

it.each<[string, ReturnType<typeof linkedParts>]>([
  ['', []],
  ['No address here, not even http:// alone', ['No address here, not even http:// alone']],
  ['See https://example.org/status.', ['See ', { href: 'https://example.org/status' }, '.']],
  ['(https://example.org/a)', ['(', { href: 'https://example.org/a' }, ')']],
  [
    'https://example.org/?q=a&b#c then http://example.net',
    [{ href: 'https://example.org/?q=a&b#c' }, ' then ', { href: 'http://example.net' }],
  ],
  ['javascript:alert(1) ftp://example.org', ['javascript:alert(1) ftp://example.org']],
])('finds the web addresses in %j', (text, parts) => {
  expect(linkedParts(text)).toEqual(parts);
});
