import { expect, test } from 'vitest';
import { relyingParty } from '#db/accounts/sign-in/relying-party.ts';
import { parseSettings } from '#db/platform/runtime/env.ts';
import { atOwnAddress } from './one-address.ts';

const at = (host: string | undefined, settings: Record<string, string> = {}, url = '/mods?q=a') =>
  atOwnAddress({ headers: { host }, url }, parseSettings(settings));

test('a page asked for at an address of this machine is led to its name', () => {
  expect(at('127.0.0.1:4321')).toBe('http://localhost:4321/mods?q=a');
  expect(at('[::1]:4321')).toBe('http://localhost:4321/mods?q=a');
  expect(at('127.0.0.1:80', { PORT: '80' })).toBe('http://localhost/mods?q=a');
  // of this site whatever the address says
  expect(at('127.0.0.1:4321', {}, '//evil.example/')).toBe('http://localhost:4321//evil.example/');
});

test.each([
  ['the own name', 'localhost:4321', {}],
  ['another program of this machine', '127.0.0.1:5000', {}],
  ['another machine', '192.0.2.7:4321', {}],
  ['another host in the header', 'evil.example:4321', {}],
  ['no host', undefined, {}],
  ['what is no host', '127.0.0.1:99999999', {}],
  ['an address that was set', '127.0.0.1:4321', { SITE_URL: 'http://127.0.0.1:4321' }],
  ['a public site', '127.0.0.1:4321', { SITE_URL: 'https://mods.example.org' }],
])('%s is left alone', (_what, host, settings) => {
  expect(at(host, settings as Record<string, string>)).toBeNull();
});

test('the address of a developer\u2019s machine has pictures and passkeys', () => {
  const settings = parseSettings({});
  expect(settings.SITE_URL).toBe('http://localhost:4321');
  expect(settings.CDN_URL).toBe(settings.SITE_URL);
  expect(relyingParty(settings)).toMatchObject({ id: 'localhost', origins: [settings.SITE_URL] });
});
