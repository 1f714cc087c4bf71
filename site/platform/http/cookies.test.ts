import { describe, expect, test } from 'vitest';
import * as cookies from './cookies.ts';

const site = 'https://cairn.example';
const token = `mra_${'a'.repeat(60)}`;
const request = (method: string, headers: Record<string, string>) =>
  new Request(`${site}/x`, {
    method,
    headers: { cookie: `locale=de; __Host-auth-token=${token}`, ...headers },
  });

describe('the session cookie is read', () => {
  test.each([
    ['GET', {}, true],
    ['POST', {}, false],
    ['GET', { 'sec-fetch-site': 'same-origin' }, true],
    ['POST', { 'sec-fetch-site': 'same-origin' }, true],
    ['POST', { 'sec-fetch-site': 'none' }, true],
    ['GET', { 'sec-fetch-site': 'same-site' }, false],
    ['GET', { 'sec-fetch-site': 'cross-site' }, false],
    ['POST', { 'sec-fetch-site': 'cross-site' }, false],
    ['POST', { 'sec-fetch-site': 'cross-site', origin: site }, false],
    [
      'GET',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
      true,
    ],
    [
      'GET',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
      false,
    ],
    [
      'POST',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
      false,
    ],
    ['POST', { origin: site }, true],
    ['POST', { origin: 'https://evil.example' }, false],
    ['GET', { origin: 'https://evil.example' }, false],
    ['POST', { origin: 'null' }, false],
    ['POST', { origin: 'http://10.0.0.5:4321', host: '10.0.0.5:4321' }, true],
  ])('%s with %j: %s', (method, headers, counts) => {
    expect(cookies.cookieToken(request(method, headers), site)).toBe(counts ? token : null);
  });

  test('ignores a session cookie without a session token', () => {
    for (const text of ['mrp_abc', '', 'undefined'])
      expect(cookies.cookieToken(request('GET', { cookie: `__Host-auth-token=${text}` }), site)).toBeNull();
  });
});

test('the session cookie is HttpOnly, and bound to its host on https', () => {
  const removed = 'auth-token=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax';
  expect(cookies.authCookies('mra_x', site)).toEqual([
    '__Host-auth-token=mra_x; Max-Age=34560000; Path=/; HttpOnly; Secure; SameSite=Lax',
    removed,
  ]);
  expect(cookies.authCookies(null, site)).toEqual([`__Host-${removed}`, removed]);
  expect(cookies.authCookies(null, 'http://127.0.0.1:4321')).toEqual([
    'auth-token=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
  ]);
});

test('on https a cookie that another host of the domain could have set is none', () => {
  const own = { 'sec-fetch-site': 'same-origin' };
  const planted = `auth-token=mra_${'b'.repeat(60)}`;
  expect(cookies.cookieToken(request('GET', { cookie: planted, ...own }), site)).toBeNull();
  const both = `${planted}; __Host-auth-token=${token}`;
  expect(cookies.cookieToken(request('GET', { cookie: both, ...own }), site)).toBe(token);
  const plain = `auth-token=${token}`;
  expect(cookies.cookieToken(request('GET', { cookie: plain, ...own }), 'http://127.0.0.1:4321')).toBe(token);
});
