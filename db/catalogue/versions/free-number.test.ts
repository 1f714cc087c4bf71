import { expect, test } from 'vitest';
import { freeNumbers } from './free-number.ts';

test.each([
  ['1.0.0', [], ['1.0.1', '1.0.0+2']],
  ['1.0.9', ['1.0.10', '1.0.9+2'], ['1.0.11', '1.0.9+3']],
  ['1.0.0+1.20.1', [], ['1.0.1+1.20.1']],
  ['1.0.0-beta.2', [], ['1.0.0-beta.3', '1.0.0-beta.2+2']],
  ['1.0.0-fabric', [], ['1.0.1-fabric', '1.0.0-fabric+2']],
  ['final', [], ['final+2']],
  ['+1', [], ['+2', '+1+2']],
  ['9'.repeat(32), [], [`${'9'.repeat(27)}+2`]],
])('after %s with %j used come %j', (taken, used, free) => {
  expect(freeNumbers(taken, new Set(used))).toEqual(free);
});
