import { type Bits, bitsOf, clear, selected } from './bits.ts';
import { countByRows } from './count-few.ts';
import type { Test } from './filter-test.ts';
import type { Satisfying } from './satisfying.ts';
import type { Segment } from './segment.ts';

/**
 * For each option the number of these documents with a row of the set that satisfies it; every document has a row of
 * the set. `bits` null: all rows. Counts on whole bit sets; only documents with other rows, too, are looked at one by
 * one.
 */
export function countMany(
  segment: Segment,
  documents: Uint32Array,
  { passes, bits }: { passes: Test | null; bits: Bits | null },
  options: readonly Satisfying[],
): number[] {
  const found = bitsOf(documents, segment.size);
  const ofRows = options.filter(({ level }) => level === 'row');
  const rowSums = new Map<Satisfying, number>();
  if (ofRows.length > 0) {
    const whole = found.slice();
    const partly = bits
      ? selected(documents, (at) => !segment.rows.hasAll(bits, at))
      : documents.subarray(0, 0);
    for (const document of partly) clear(whole, document);
    const sums = countByRows(segment, partly, passes, ofRows);
    for (const [i, option] of ofRows.entries())
      if (option.members) rowSums.set(option, option.anywhere().countIn(whole) + (sums[i] as number));
  }
  return options.map((option) =>
    option.level === 'row' ? (rowSums.get(option) ?? 0) : (option.members?.countIn(found) ?? 0),
  );
}
