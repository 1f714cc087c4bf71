import { describe, expect, test } from 'vitest';
import type { Scope } from '../../platform/people/scopes/rules.ts';
import { isForwarded, isRedirectUri, scopesOfText, whyNotRedirectUri, withParameters } from './rules.ts';

describe('a redirect address', () => {
  test.each([
    'https://app.example/back',
    'https://app.example/back?from=cairn&x=%20',
    'http://127.0.0.1/back',
    'http://127.0.0.1:8080/back',
    'http://[::1]:8080/',
    'http://localhost:3000/back',
    'com.example.app:/back',
    'com.example.app://back',
  ])('%s is one', (uri) => {
    expect(whyNotRedirectUri(uri)).toBeNull();
  });

  test.each([
    ['plain http to another host', 'http://app.example/back'],
    ['a host that only begins like loopback', 'http://127.0.0.1.evil.example/'],
    ['a fragment', 'https://app.example/back#x'],
    ['a user', 'https://app.example@evil.example/'],
    ['an empty user', 'https://@app.example/'],
    ['a wildcard', 'https://*.example.com/'],
    ['a script', 'javascript:alert(1)'],
    ['data', 'data:text/html,x'],
    ['a scheme without a dot', 'myapp://back'],
    ['white space', 'https://app.example/a b'],
    ['a line break', 'https://app.example/\r\nset-cookie:a=b'],
    ['a backslash', 'https://app.example\\@evil.example/'],
    ['no host', 'https:app.example'],
    ['a path', '/back'],
    ['nothing', ''],
  ])('%s is none', (_what, uri) => {
    expect(whyNotRedirectUri(uri)).toBe('redirect_uri_invalid');
  });

  test.each<[string, string, boolean]>([
    ['https://app.example/back', 'https://app.example/back', true],
    ['https://app.example/back', 'https://app.example/back?x=1', false],
    ['https://app.example/back', 'https://app.example/back/', false],
    ['https://app.example/back', 'https://app.example:443/back', false],
    ['https://app.example/back', 'https://APP.example/back', false],
    ['https://app.example/back', 'https://app.example.evil.example/back', false],
    ['http://127.0.0.1/back', 'http://127.0.0.1:49152/back', true],
    ['http://[::1]/back', 'http://[::1]:49152/back', true],
    ['http://127.0.0.1/back', 'http://127.0.0.1:49152/other', false],
    ['http://127.0.0.1/back', 'http://[::1]:49152/back', false],
    ['http://127.0.0.1/back', 'http://127.0.0.1:99999/back', false],
    ['http://127.0.0.1/back', 'http://127.0.0.1:80@evil.example/back', false],
    ['http://127.0.0.1:8080/back', 'http://127.0.0.1:8081/back', false],
    ['http://localhost/back', 'http://localhost:8080/back', false],
    ['https://127.0.0.1/back', 'https://127.0.0.1:8080/back', false],
  ])('registered %s, sent %s: %s', (registered, given, same) => {
    expect(isRedirectUri(registered, given)).toBe(same);
  });
});

test('scopes are names separated by space, + or %20; none stand for all; unknown ones are refused', () => {
  const all = new Set<Scope>(['USER_READ', 'PROJECT_READ', 'PROJECT_WRITE']);
  for (const text of ['USER_READ PROJECT_READ', 'USER_READ+PROJECT_READ', 'USER_READ%20PROJECT_READ'])
    expect(scopesOfText(text, all)).toEqual(new Set(['USER_READ', 'PROJECT_READ']));
  expect(scopesOfText(null, all)).toEqual(all);
  expect(scopesOfText(' ', all)).toEqual(all);
  for (const text of ['openid', 'user_read', 'USER_READ,PROJECT_READ', 'toString'])
    expect(scopesOfText(text, all)).toBeNull();
});

test('an app without a secret is asked for again', () => {
  expect(isForwarded({ is_public: false })).toBe(true);
  expect(isForwarded({ is_public: true })).toBe(false);
});

test('parameters are added encoded, after those that the address has', () => {
  expect(withParameters('https://a.example/x', { code: 'c', state: null })).toBe(
    'https://a.example/x?code=c',
  );
  expect(withParameters('https://a.example/x?y=1', { code: 'c', state: 'a&b=c#d' })).toBe(
    'https://a.example/x?y=1&code=c&state=a%26b%3Dc%23d',
  );
});
