import { expect, it } from 'vitest';
import { glyphOf } from './glyph.ts';

it('gives a server the same picture always, and many servers many pictures', () => {
  expect(glyphOf('Ab3dE9xZ')).toEqual(glyphOf('Ab3dE9xZ'));
  const pictures = Array.from({ length: 100 }, (_, i) => JSON.stringify(glyphOf(`server${i}`)));
  expect(new Set(pictures).size).toBeGreaterThan(60);
  const colors = new Set(Array.from({ length: 100 }, (_, i) => glyphOf(`server${i}`).color));
  expect(colors.size).toBe(5);
  for (const picture of pictures) expect(picture).not.toMatch(/NaN|undefined|null/);
});
