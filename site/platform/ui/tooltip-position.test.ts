import { expect, test } from 'vitest';
import { tooltipPosition } from './tooltip-position.ts';

const window = { width: 400, height: 300 };
const tip = { width: 100, height: 30 };

test('a tooltip is centered, 5 pixels above its target', () => {
  expect(tooltipPosition({ left: 150, top: 100, width: 40, height: 20 }, tip, window)).toEqual({
    x: 120,
    y: 65,
  });
});

test('it is placed below when there is no room above', () => {
  expect(tooltipPosition({ left: 150, top: 20, width: 40, height: 20 }, tip, window)).toEqual({
    x: 120,
    y: 45,
  });
});

test('it keeps 4 pixels from both sides of the window', () => {
  expect(tooltipPosition({ left: 0, top: 100, width: 40, height: 20 }, tip, window).x).toBe(4);
  expect(tooltipPosition({ left: 380, top: 100, width: 20, height: 20 }, tip, window).x).toBe(296);
});
