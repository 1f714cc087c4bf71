import { expect, test } from 'vitest';
import { localPath } from './local-path.ts';

const site = 'https://cairn.example';

test.each(['/', '/mod/x?tab=versions#files', '/search/%F0%9F%90%84', '/dashboard'])(
  '%s is accepted',
  (path) => {
    expect(localPath(path, site)).toBe(path);
  },
);

test.each([
  null,
  '',
  'mods',
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/.//evil.example',
  '/x/..//evil.example',
  'javascript:alert(1)',
  'https://cairn.example@evil.example/',
])('%j is rejected', (path) => {
  expect(localPath(path, site)).toBe('/');
});
