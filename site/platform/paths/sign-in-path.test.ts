import { describe, expect, test } from 'vitest';
import { launcherAddress, launcherPath, loopbackUrl, signInPath } from './sign-in-path.ts';

const query = (text: string) => new URLSearchParams(text);

describe('the address of a launcher', () => {
  test.each([
    ['launcher=true&port=1', 'http://127.0.0.1:1/'],
    ['launcher=true&port=65535&ipver=4', 'http://127.0.0.1:65535/'],
    ['launcher=true&port=25999&ipver=6', 'http://[::1]:25999/'],
  ])('of %s is %s', (text, url) => {
    expect(loopbackUrl(launcherAddress(query(text))!)).toBe(url);
    expect(launcherPath(query(text))).toMatch(/^\/auth\/launcher\?launcher=true&ipver=[46]&port=\d+$/);
  });

  test.each([
    ...['', 'port=80', 'launcher=false&port=80', 'launcher=true', 'launcher=true&port='],
    ...[
      'launcher=true&port=0',
      'launcher=true&port=65536',
      'launcher=true&port=99999',
      'launcher=true&port=-1',
    ],
    ...[
      'launcher=true&port=080',
      'launcher=true&port=80.0',
      'launcher=true&port=1e3',
      'launcher=true&port=٨٠',
    ],
    ...[
      'launcher=true&port=80%40evil.example',
      'launcher=true&port=80&ipver=5',
      'launcher=true&port=80&ipver=',
    ],
    ...['launcher=true&port=80%0A', 'launcher=true&port=80/../x', 'launcher=true&port=123456'],
  ])('is none for %j', (text) => {
    expect(launcherAddress(query(text))).toBeNull();
    expect(launcherPath(query(text))).toBeNull();
  });
});

test('pages of signing in are not led back to, those that need a user are', () => {
  expect(signInPath('/auth/sign-up')).toBe('/auth/sign-in');
  expect(signInPath('/auth/launcher?port=1')).toBe('/auth/sign-in?redirect=%2Fauth%2Flauncher%3Fport%3D1');
  expect(signInPath('/mods')).toBe('/auth/sign-in?redirect=%2Fmods');
});
