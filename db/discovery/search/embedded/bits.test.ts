import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  and,
  andNot,
  type Bits,
  bitsFor,
  clear,
  count,
  firstIn,
  full,
  has,
  invert,
  or,
  set,
  setRange,
} from './bits.ts';

const size = fc.integer({ min: 0, max: 130 });
const sets = size.chain((n) =>
  fc.record({
    n: fc.constant(n),
    a: fc.subarray(Array.from({ length: n }, (_, i) => i)),
    b: fc.subarray(Array.from({ length: n }, (_, i) => i)),
  }),
);
const bitsOf = (n: number, members: number[]): Bits => {
  const bits = bitsFor(n);
  for (const member of members) set(bits, member);
  return bits;
};
const membersOf = (bits: Bits): number[] =>
  Array.from({ length: bits.length * 32 }, (_, i) => i).filter((i) => has(bits, i));

describe('bit sets', () => {
  it('are a set of numbers, with union, intersection, difference and complement', () => {
    fc.assert(
      fc.property(sets, ({ n, a, b }) => {
        const changed = (change: (into: Bits, other: Bits) => void) => {
          const into = bitsOf(n, a);
          change(into, bitsOf(n, b));
          return membersOf(into);
        };
        expect(changed(or)).toEqual([...new Set([...a, ...b])].sort((x, y) => x - y));
        expect(changed(and)).toEqual(a.filter((x) => b.includes(x)));
        expect(changed(andNot)).toEqual(a.filter((x) => !b.includes(x)));
        const others = bitsOf(n, a);
        invert(others, n);
        expect(membersOf(others)).toEqual(membersOf(full(n)).filter((x) => !a.includes(x)));
        expect(count(bitsOf(n, a))).toBe(a.length);
      }),
    );
  });

  it('find the first member of a range, and add whole ranges', () => {
    fc.assert(
      fc.property(sets, size, size, ({ n, a }, x, y) => {
        const [from, to] = [Math.min(x, y, n), Math.min(Math.max(x, y), n)];
        expect(firstIn(bitsOf(n, a), from, to)).toBe(a.find((i) => i >= from && i < to) ?? -1);
        const ranged = bitsOf(n, a);
        setRange(ranged, from, to);
        const within = membersOf(full(n)).filter((i) => a.includes(i) || (i >= from && i < to));
        expect(membersOf(ranged)).toEqual(within);
      }),
    );
  });

  it('remove members', () => {
    const bits = full(70);
    clear(bits, 69);
    clear(bits, 31);
    expect([has(bits, 31), has(bits, 69), has(bits, 68), count(bits)]).toEqual([false, false, true, 68]);
  });
});
