import { expect, it } from 'vitest';
import { trialNetworkOf } from './trial-limit.ts';

it.each([
  ['203.0.113.7', '203.0.113.250', true],
  ['203.0.113.7', '203.0.114.7', false],
  ['203.0.113.7', '::ffff:203.0.113.9', true],
  ['2001:db8:1::1', '2001:db8:1:ffff::2', true],
  ['2001:db8:1::1', '2001:db8:2::1', false],
  ['', 'not an address', true],
])('%s and %s are in one network: %s', (one, other, same) => {
  expect(trialNetworkOf(one) === trialNetworkOf(other)).toBe(same);
});
