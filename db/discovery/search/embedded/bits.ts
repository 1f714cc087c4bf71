/** A bit set of small integers: number i is bit i % 32 of word i / 32. Bits from the size on are always 0. */
export type Bits = Uint32Array;

export const bitsFor = (size: number): Bits => new Uint32Array((size + 31) >>> 5);

export const has = (bits: Bits, i: number): boolean => ((bits[i >>> 5] as number) & (1 << (i & 31))) !== 0;

export function set(bits: Bits, i: number): void {
  bits[i >>> 5] = (bits[i >>> 5] as number) | (1 << (i & 31));
}

export function clear(bits: Bits, i: number): void {
  bits[i >>> 5] = (bits[i >>> 5] as number) & ~(1 << (i & 31));
}

/** Every number below `size`. */
export function full(size: number): Bits {
  const bits = bitsFor(size).fill(0xffffffff);
  trim(bits, size);
  return bits;
}

export function and(into: Bits, other: Bits): void {
  for (let i = 0; i < into.length; i++) into[i] = (into[i] as number) & (other[i] as number);
}

export function or(into: Bits, other: Bits): void {
  for (let i = 0; i < into.length; i++) into[i] = (into[i] as number) | (other[i] as number);
}

export function andNot(into: Bits, other: Bits): void {
  for (let i = 0; i < into.length; i++) into[i] = (into[i] as number) & ~(other[i] as number);
}

/** Replaces the set by its complement below `size`. */
export function invert(bits: Bits, size: number): void {
  for (let i = 0; i < bits.length; i++) bits[i] = ~(bits[i] as number);
  trim(bits, size);
}

/** Number of members. */
export function count(bits: Bits): number {
  let sum = 0;
  for (let i = 0; i < bits.length; i++) sum += ones(bits[i] as number);
  return sum;
}

/** Number of members that two sets share. */
export function countBoth(a: Bits, b: Bits): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += ones((a[i] as number) & (b[i] as number));
  return sum;
}

/** Number of bits that are 1 in a 32-bit word. */
function ones(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The first member from `from` on and below `to`, -1 when there is none. */
export function firstIn(bits: Bits, from: number, to: number): number {
  for (let at = from; at < to; ) {
    const rest = (bits[at >>> 5] as number) >>> (at & 31);
    if (rest !== 0) {
      const found = at + 31 - Math.clz32(rest & -rest);
      return found < to ? found : -1;
    }
    at = ((at >>> 5) + 1) << 5;
  }
  return -1;
}

/** The members below `size`, ascending. */
export function membersOf(bits: Bits, size: number): Uint32Array {
  const found = new Uint32Array(count(bits));
  let length = 0;
  for (let at = firstIn(bits, 0, size); at >= 0; at = firstIn(bits, at + 1, size)) found[length++] = at;
  return found;
}

/** The set of these numbers, all below `size`. */
export function bitsOf(members: Iterable<number>, size: number): Bits {
  const bits = bitsFor(size);
  for (const member of members) set(bits, member);
  return bits;
}

/** Those of a list that pass; faster than the method of typed arrays. */
export function selected(list: Uint32Array, passes: (member: number) => boolean): Uint32Array {
  const found = new Uint32Array(list.length);
  let length = 0;
  for (let i = 0; i < list.length; i++) {
    const member = list[i] as number;
    if (passes(member)) found[length++] = member;
  }
  return found.subarray(0, length);
}

/** Adds every number from `from` on and below `to`. */
export function setRange(bits: Bits, from: number, to: number): void {
  for (let at = from; at < to; ) {
    if ((at & 31) === 0 && at + 32 <= to) {
      bits[at >>> 5] = 0xffffffff;
      at += 32;
    } else set(bits, at++);
  }
}

function trim(bits: Bits, size: number): void {
  const rest = size & 31;
  if (rest !== 0) bits[size >>> 5] = (bits[size >>> 5] as number) & ((1 << rest) - 1);
}
