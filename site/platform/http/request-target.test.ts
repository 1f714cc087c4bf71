import { expect, test } from 'vitest';
import { targetOf } from './request-target.ts';

test.each([
  [undefined, '/'],
  ['/mods?q=a', '/mods?q=a'],
  ['//mods', '//mods'],
  ['http://example.org/mods?q=a', '/mods?q=a'],
  ['HTTPS://example.org', '/'],
  ['http://example.org?q=a', '/?q=a'],
  ['*', '/'],
  ['ftp://example.org/x', '/'],
  ['', '/'],
])('%s has the target %s', (url, target) => {
  expect(targetOf(url)).toBe(target);
});
