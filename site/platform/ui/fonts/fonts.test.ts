import { readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';

const folder = import.meta.dirname;

test('the text font weighs at most 45 kB', () => {
  expect(statSync(`${folder}/inter-latin.woff2`).size).toBeLessThanOrEqual(45_000);
});

test.each(['inter-latin', 'national-park-latin-wght-normal'])('%s is never swapped in late', (file) => {
  const css = readFileSync(`${folder}/../css/fonts.css`, 'utf8');
  const faces = [...css.matchAll(/@font-face \{[^}]*\}/g)].map(([face]) => face);
  expect(faces.find((face) => face.includes(`/${file}.woff2`))).toContain('font-display: optional');
});

test('the letters in place of National Park are as high as it is', () => {
  const css = readFileSync(`${folder}/../css/elements.css`, 'utf8');
  const faces = [...css.matchAll(/@font-face \{[^}]*\}/g)].map(([face]) => face);
  expect(faces).toHaveLength(2);
  for (const face of faces) {
    const percent = (name: string) => Number(new RegExp(`${name}: ([\\d.]+)%`).exec(face)![1]) / 100;
    // its own are 1.03 and 0.3 of its size
    expect(percent('ascent-override') * percent('size-adjust'), face).toBeCloseTo(1.03, 2);
    expect(percent('descent-override') * percent('size-adjust'), face).toBeCloseTo(0.3, 2);
  }
});

test('the text font comes with its license', () => {
  expect(readFileSync(`${folder}/inter-license.txt`, 'utf8')).toContain('SIL Open Font License');
});
