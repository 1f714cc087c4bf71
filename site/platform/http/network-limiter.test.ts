import { describe, expect, test } from 'vitest';
import { networkOf } from '#db/platform/runtime/network-of.ts';
import { LocalLimiter } from '#db/platform/runtime/rate-limit.ts';
import { byNetwork } from './network-limiter.ts';

const count = 8;
const made = () => byNetwork(new LocalLimiter({ count, per_ms: 60_000 }, 100_000));

/** How many of the addresses are allowed one request. */
const allowed = (limiter: ReturnType<typeof made>, addresses: readonly string[]): number =>
  addresses.filter((address) => limiter.hit(networkOf(address), 0).allowed).length;

const hex = (value: number) => value.toString(16);
const each = (times: number, address: (at: number) => string) =>
  Array.from({ length: times }, (_, at) => address(at));

describe('one customer with many networks of IPv6', () => {
  test('has one count in a /64, four in a /56 and sixteen in a /48', () => {
    expect(
      allowed(
        made(),
        each(1_000, (at) => `2001:db8:1:200::${hex(at)}`),
      ),
    ).toBe(count);
    expect(
      allowed(
        made(),
        each(256, (at) => `2001:db8:1:${hex(0x200 + at)}::1`),
      ),
    ).toBe(4 * count);
    expect(
      allowed(
        made(),
        each(1_000, (at) => `2001:db8:1:${hex(at * 65)}::1`),
      ),
    ).toBe(16 * count);
  });

  test('leaves the neighbours theirs', () => {
    const limiter = made();
    allowed(
      limiter,
      each(1_000, (at) => `2001:db8:1:${hex(at * 65)}::1`),
    );
    expect(
      allowed(
        limiter,
        each(20, () => '2001:db8:2::1'),
      ),
    ).toBe(count);
    expect(
      allowed(
        limiter,
        each(20, () => '192.0.2.7'),
      ),
    ).toBe(count);
  });

  test('pays in each of them for what a request turned out to cost, and gets back what did not count', () => {
    const limiter = made();
    limiter.charge(networkOf('2001:db8:1:200::1'), 0, 1_000);
    expect(allowed(limiter, ['2001:db8:1:200::2', '2001:db8:1:201::1', '2001:db8:1:900::1'])).toBe(0);
    const other = made();
    const key = networkOf('2001:db8:3:100::1');
    for (let tried = 0; tried < 100; tried += 1) {
      expect(other.hit(key, 0).allowed).toBe(true);
      other.hit(key, 0, -1);
    }
  });
});

test('an address of IPv4 counts alone', () => {
  expect(
    allowed(
      made(),
      each(100, (at) => `192.0.2.${at}`),
    ),
  ).toBe(100);
});
