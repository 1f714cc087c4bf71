import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { isPersonalRequest, normalised, pageKey } from './key.ts';

const request = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  ({ url, headers, method }) as unknown as IncomingMessage;

test.each([
  ['/mods', '/mods'],
  ['/mods?', '/mods'],
  ['/mods?q=a&f=b', '/mods?f=b&q=a'],
  ['/mods?f=2&f=1&a=0', '/mods?a=0&f=2&f=1'],
  ['/mods?utm_source=x&q=a&fbclid=1', '/mods?q=a'],
  ['/mods?gclid=1', '/mods'],
  ['/mods?q=%zz&x[]=1', '/mods?q=%25zz&x%5B%5D=1'],
  ['/Mods?q=A%20b', '/Mods?q=A+b'],
])('%s has the key %s', (url, stored) => {
  expect(normalised(url)).toBe(stored);
});

test('the key consists of build, site, language and address', () => {
  const key = (url: string, headers = {}) => pageKey(request(url, headers), 'build\nsite')?.id;
  expect(key('/a?b=1')).toBe('build\nsite\nen-US\n/a?b=1');
  expect(key('/a', { cookie: 'x=1; locale=ar-XB' })).toBe('build\nsite\nar-XB\n/a');
  expect(key('/a?hl=en-XA', { cookie: 'locale=ar-XB' })).toBe('build\nsite\nen-XA\n/a?hl=en-XA');
  expect(key('/a?hl=%E0%A4%A', {})).toContain('\nen-US\n/a?hl=');
  expect(key('/a&hl=%E0')).toBe('build\nsite\nen-US\n/a&hl=%E0');
  expect(key('/a&hl=ar-XB?b=1')).toBe('build\nsite\nen-US\n/a&hl=ar-XB?b=1');
});

test('writes and endless addresses have no key', () => {
  expect(pageKey(request('/a', {}, 'POST'), '')).toBeNull();
  expect(pageKey(request(`/a?q=${'x'.repeat(3000)}`), '')).toBeNull();
});

test.each([
  [{}, false],
  [{ cookie: 'locale=de; color-mode=dark' }, false],
  [{ cookie: 'locale=de; auth-token=mra_x' }, true],
  [{ cookie: 'locale=de; form=x' }, true],
  [{ cookie: '__Host-form=x' }, true],
  [{ cookie: 'sign-in-step=x' }, true],
  [{ cookie: '__Host-account-step=x' }, true],
  [{ cookie: 'platform=x' }, false],
  [{ authorization: 'mrp_x' }, true],
])('the headers %j may give a page of its own: %s', (headers, expected) => {
  expect(isPersonalRequest(request('/', headers as Record<string, string>))).toBe(expected);
});
