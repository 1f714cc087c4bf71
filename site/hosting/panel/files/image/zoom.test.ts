import { expect, it } from 'vitest';
import { fitted, panned, scales, zoomed } from './zoom.ts';

it('shows the whole picture, and no small one larger than it is', () => {
  expect(fitted({ width: 2000, height: 1000 }, { width: 500, height: 500 }).scale).toBe(0.25);
  expect(fitted({ width: 20, height: 10 }, { width: 500, height: 500 }).scale).toBe(1);
  expect(fitted({ width: 4096, height: 1 }, { width: 100, height: 100 }).scale).toBe(0.1);
});

it('enlarges from 10 to 500 percent', () => {
  const view = { scale: 1, x: 0, y: 0 };
  expect(zoomed(view, 100).scale).toBe(scales.max);
  expect(zoomed(view, -100).scale).toBe(scales.min);
  expect(zoomed(zoomed(view, 1), -1).scale).toBeCloseTo(1);
});

it('keeps the point under the pointer', () => {
  const view = { scale: 2, x: 10, y: -20 };
  const at = { x: 100, y: 50 };
  const next = zoomed(view, 2, at);
  // the point of the picture below the pointer
  const below = (one: typeof view) => [(at.x - one.x) / one.scale, (at.y - one.y) / one.scale];
  expect(below(next)[0]).toBeCloseTo(below(view)[0]!);
  expect(below(next)[1]).toBeCloseTo(below(view)[1]!);
  expect(panned(view, 5, 6)).toEqual({ scale: 2, x: 15, y: -14 });
});
