import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { themeBackgrounds } from './theme-background.ts';

test('the colors of browser bars are the backgrounds of the themes', () => {
  const tokens = readFileSync(new URL('css/tokens.css', import.meta.url), 'utf8');
  const found = [...tokens.matchAll(/\[data-theme="(\w+)"\] \{[^}]*?--bg: (#\w+);/g)].map(([, name, bg]) => [
    name,
    bg,
  ]);
  expect(Object.fromEntries(found)).toEqual(themeBackgrounds);
});
