import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bits, bitsFor, full, has, set } from './bits.ts';
import { Values, ValuesWriter } from './facet-values.ts';
import type { Sections } from './sections.ts';

const universe = 100;
const everybody = Array.from({ length: universe }, (_, i) => i);
const chosen = (bits: Bits): number[] => everybody.filter((i) => has(bits, i));

function valuesOf(members: number[], value = 'fabric'): Values {
  const maker = new ValuesWriter();
  for (const member of members)
    maker.add(
      [
        ['loader', value],
        ['loader', value],
      ],
      member,
    );
  const sections: Sections = new Map();
  maker.write(sections, 'rows', universe);
  return new Values(sections, 'rows', universe);
}

describe('facet values', () => {
  it('list their members, few as a list, many as bits', () => {
    fc.assert(
      fc.property(fc.subarray(everybody, { minLength: 1 }), fc.subarray(everybody), (members, others) => {
        const found = valuesOf(members).members('loader', 'fabric');
        expect(found?.size).toBe(members.length);
        const added = bitsFor(universe);
        found?.addTo(added);
        expect(chosen(added)).toEqual(members);
        const [kept, left] = [bitsFor(universe), bitsFor(universe)];
        for (const other of others) {
          set(kept, other);
          set(left, other);
        }
        found?.retainIn(kept);
        expect(chosen(kept)).toEqual(others.filter((i) => members.includes(i)));
        found?.removeFrom(left);
        expect(chosen(left)).toEqual(others.filter((i) => !members.includes(i)));
      }),
    );
  });

  it('have no members when nothing has them, and keep keys apart', () => {
    const values = valuesOf([3]);
    expect(values.members('loader', 'forge')).toBeNull();
    expect(values.members('category', 'fabric')).toBeNull();
    const all = full(universe);
    values.members('loader', 'fabric')?.retainIn(all);
    expect(chosen(all)).toEqual([3]);
  });

  it('may have names of object properties', () => {
    const values = valuesOf([1, 2], '__proto__');
    expect(values.members('loader', '__proto__')?.size).toBe(2);
    expect(values.members('loader', 'constructor')).toBeNull();
  });
});
