import { expect, test } from 'vitest';
import { isMissingScript, mayReload } from './reload-guard.ts';

function storage() {
  const stored = new Map<string, string>();
  return {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
  };
}

test('each path is reloaded at most once in ten seconds', () => {
  const here = storage();
  expect(mayReload(here, '/mods', 1_000)).toBe(true);
  expect(mayReload(here, '/mods', 10_999)).toBe(false);
  expect(mayReload(here, '/plugins', 10_999)).toBe(true);
  expect(mayReload(here, '/mods', 11_000)).toBe(true);
  expect(mayReload(here, '/mods', 12_000)).toBe(false);
});

test('only scripts that failed to load count', () => {
  for (const labels of [
    'Failed to fetch dynamically imported module: https://x/_astro/a.js',
    'error loading dynamically imported module: https://x/_astro/a.js',
    'Importing a module script failed.',
    'Unable to preload CSS for /_astro/a.css',
  ])
    expect(isMissingScript(new TypeError(labels))).toBe(true);
  expect(isMissingScript(new TypeError('Failed to fetch'))).toBe(false);
  expect(isMissingScript('importing a module script failed')).toBe(false);
});
