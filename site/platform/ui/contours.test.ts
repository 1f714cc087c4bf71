import { expect, test } from 'vitest';
import { contours } from './contours.ts';

test('the same seed draws the same contours, another seed others', () => {
  expect(contours('a', 736, 220)).toEqual(contours('a', 736, 220));
  expect(contours('a', 736, 220)).not.toEqual(contours('b', 736, 220));
});

test('lines are valid paths, some of them thick, and small enough for every page', () => {
  for (const seed of ['x', 'lanternroot', '0', 'ZIxFIZ2r']) {
    const lines = contours(seed, 736, 220);
    expect(lines.length).toBeGreaterThan(4);
    expect(lines.some(({ thick }) => thick)).toBe(true);
    for (const { d } of lines)
      expect(d).toMatch(/^(M-?\d+ -?\d+(Q-?\d+ -?\d+ -?\d+ -?\d+)*(L-?\d+ -?\d+|Z))+$/);
    expect(lines.map(({ d }) => d).join('').length).toBeLessThan(15_000);
  }
});
