import { readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';

const folder = import.meta.dirname;

test('the text font weighs at most 45 kB and is never swapped in late', () => {
  expect(statSync(`${folder}/inter-latin.woff2`).size).toBeLessThanOrEqual(45_000);
  const css = readFileSync(`${folder}/../css/fonts.css`, 'utf8');
  const face = /@font-face \{[^}]*"Inter Latin"[^}]*\}/.exec(css)?.[0];
  expect(face).toContain('font-display: optional');
});

test('the text font comes with its license', () => {
  expect(readFileSync(`${folder}/inter-license.txt`, 'utf8')).toContain('SIL Open Font License');
});
