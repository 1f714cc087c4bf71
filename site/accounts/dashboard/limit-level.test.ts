import { expect, test } from 'vitest';
import { limitLevel } from './limit-level.ts';

test.each([
  [0, 256, null],
  [191, 256, null],
  [192, 256, 'near'],
  [255, 256, 'near'],
  [256, 256, 'reached'],
  [300, 256, 'reached'],
  [11, 16, null],
  [12, 16, 'near'],
  [24, 32, 'near'],
  [32, 32, 'reached'],
])('%i of %i is %s', (used, limit, level) => {
  expect(limitLevel(used, limit)).toBe(level);
});
