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
  for (let i = 0; i < bits.length; i++) {
    let word = bits[i] as number;
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    sum += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return sum;
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
