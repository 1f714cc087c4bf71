import { expect, test } from 'vitest';
import { networkOf } from '#db/platform/runtime/network-of.ts';
import { addressReader, warnOfUntrustedProxy } from './address.ts';

const request = (remoteAddress: string | undefined, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: forwarded ? { 'x-forwarded-for': forwarded } : {} }) as never;

test.each([
  ['', '203.0.113.1', '198.51.100.1', '203.0.113.1'],
  ['loopback', '127.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['loopback', '::ffff:127.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['loopback', '203.0.113.1', '198.51.100.1', '203.0.113.1'],
  ['10.0.0.0/8, loopback', '127.0.0.1', '198.51.100.1, 10.1.1.1', '198.51.100.1'],
  ['10.0.0.0/8', '10.0.0.2', '192.0.2.66, 198.51.100.1', '198.51.100.1'],
  ['loopback', undefined, '198.51.100.1', '198.51.100.1'],
  ['', undefined, undefined, '127.0.0.1'],
])('trusting %j, a socket of %s that forwards %s is %s', (trust, remote, forwarded, address) => {
  expect(addressReader(trust)(request(remote, forwarded))).toBe(address);
});

test('refuses to start with a TRUST_PROXY list that cannot be parsed', () => {
  expect(() => addressReader('nonsense')).toThrow(TypeError);
});

test.each([
  ['', '127.0.0.1', '198.51.100.1', 1],
  ['', '::1', '198.51.100.1', 1],
  ['', '127.0.0.1', undefined, 0],
  ['', '172.18.0.1', '198.51.100.1', 1],
  ['', '::ffff:172.18.0.1', '198.51.100.1', 1],
  ['', 'fd00::1', '198.51.100.1', 1],
  ['', '203.0.113.1', '198.51.100.1', 0],
  ['loopback', '127.0.0.1', '198.51.100.1', 0],
])('trusting %j, two requests of %s that forward %s warn %d times', (trust, remote, forwarded, times) => {
  const warnings: unknown[] = [];
  const warn = warnOfUntrustedProxy(trust, { warn: (text: unknown) => void warnings.push(text) } as never);
  warn(request(remote, forwarded));
  warn(request(remote, forwarded));
  expect(warnings).toHaveLength(times);
});

test('counts clients by single IPv4 address or IPv6 /64', () => {
  expect(networkOf('192.0.2.1')).toBe('192.0.2.1');
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe(networkOf('2001:db8:1:2::'));
  expect(networkOf('2001:db8:1:2::')).not.toBe(networkOf('2001:db8:1:3::'));
});
