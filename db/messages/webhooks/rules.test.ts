import { expect, it, test } from 'vitest';
import { isDiscordAddress, nextPause, retryPauses, whyNotAddress, whyNotAnother } from './rules.ts';

test.each([
  'http://hooks.example.org/',
  'https://user:word@hooks.example.org/',
  'https://hooks.example.org:8443/',
  'https://127.0.0.1/',
  'https://10.1/',
  'https://0x7f000001/',
  'https://[::1]/',
  'https://localhost/',
  'ftp://hooks.example.org/',
  'hooks.example.org',
  `https://hooks.example.org/${'x'.repeat(2048)}`,
])('%s is no address of a webhook', (address) => {
  expect(whyNotAddress(address)).toBe('webhook_address');
});

it('takes a public name over https', () => {
  expect(whyNotAddress('https://hooks.example.org/a?b=c')).toBeNull();
});

it('knows the addresses of Discord', () => {
  expect(isDiscordAddress(new URL('https://discord.com/api/webhooks/1/x'))).toBe(true);
  expect(isDiscordAddress(new URL('https://canary.discordapp.com/api/webhooks/1/x'))).toBe(true);
  expect(isDiscordAddress(new URL('https://discord.com.example.org/api/webhooks/1/x'))).toBe(false);
  expect(isDiscordAddress(new URL('https://notdiscord.com/api/webhooks/1/x'))).toBe(false);
});

it('pauses longer each time, and ends', () => {
  expect(retryPauses.every((pause, place) => place === 0 || pause > retryPauses[place - 1]!)).toBe(true);
  expect(nextPause(1)).toBe(5_000);
  expect(nextPause(retryPauses.length + 1)).toBeNull();
});

it('allows ten for each owner', () => {
  expect([whyNotAnother(9), whyNotAnother(10)]).toEqual([null, 'webhook_limit']);
});
