import { describe, expect, test } from 'vitest';
import { redirectOf, routeRules } from './redirects.ts';

const led = (path: string, query?: string) => redirectOf(routeRules, path, query);

describe('redirects known addresses', () => {
  test('a moved page redirects to its new path and keeps the query', () => {
    expect(led('/discover', '?q=lantern&hl=de-DE')).toEqual({ to: '/mods?q=lantern&hl=de-DE', status: 301 });
    expect(led('/users/mirelle/mods')).toEqual({ to: '/user/mirelle/mods', status: 301 });
  });

  test('external targets do not get our query', () => {
    expect(led('/license', '?hl=de-DE')).toEqual({
      to: 'https://www.gnu.org/licenses/agpl-3.0.html',
      status: 302,
    });
  });

  test('other paths are not redirected', () => {
    for (const path of ['/', '/mods', '/discover/', '/users/', '/users', '/user/mirelle', '/mod/discover'])
      expect([path, led(path)]).toEqual([path, null]);
  });

  test('the rest of a path never names another host', () => {
    expect(led('/users//evil.example')?.to).toBe('/user//evil.example');
    expect(led('/u/https://evil.example')?.to).toBe('/user/https://evil.example');
  });
});

describe('the table', () => {
  test('redirects in one step: no target redirects itself, no address appears twice', () => {
    for (const { to } of routeRules)
      if (to.startsWith('/')) expect([to, led(to.replace('*', 'x'))]).toEqual([to, null]);
    expect(new Set(routeRules.map(({ from }) => from)).size).toBe(routeRules.length);
  });

  test('has a star on both sides or on neither', () => {
    for (const { from, to } of routeRules) expect(to.endsWith('*')).toBe(from.endsWith('*'));
  });
});
