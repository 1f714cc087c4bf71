import { expect, test } from 'vitest';
import { donationPlatformOf } from './donation-platform.ts';

test.each([
  ['https://www.patreon.com/fen', 'patreon'],
  ['https://buymeacoffee.com/fen', 'bmac'],
  ['https://paypal.me/fen', 'paypal'],
  ['https://github.com/sponsors/fen', 'github'],
  ['https://github.com/fen/caves', 'other'],
  ['https://ko-fi.com/fen', 'ko-fi'],
  ['https://notko-fi.com/fen', 'other'],
  ['nonsense', 'other'],
])('%s is of %s', (url, platform) => {
  expect(donationPlatformOf(url)).toBe(platform);
});
