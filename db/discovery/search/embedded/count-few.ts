import type { Test } from './filter-test.ts';
import type { Satisfying } from './satisfying.ts';
import type { Segment } from './segment.ts';

/**
 * For each option the number of these documents with a row that passes and satisfies it; every document has a row that
 * passes. Looks at every document: for few of them. `passes` null: any row does.
 */
export function countFew(
  segment: Segment,
  documents: Uint32Array,
  passes: Test | null,
  options: readonly Satisfying[],
): number[] {
  const ofRows = options.filter(({ level }) => level === 'row');
  const found = new Map(countByRows(segment, documents, passes, ofRows).map((sum, i) => [ofRows[i], sum]));
  return options.map((option) => {
    const { level, members } = option;
    if (level === 'row' || !members) return found.get(option) ?? 0;
    let sum = 0;
    for (const document of documents) if (members.has(document)) sum++;
    return sum;
  });
}

/** The same for options with conditions on rows. */
export function countByRows(
  { rows, rowValues }: Segment,
  documents: Uint32Array,
  passes: Test | null,
  options: readonly Satisfying[],
): number[] {
  if (documents.length === 0 || options.length === 0) return options.map(() => 0);
  const sums = new Uint32Array(options.length);
  const others = options.flatMap(({ members, position }, at) =>
    members && position < 0 ? [{ at, members, last: -1 }] : [],
  );
  const positions = options.map(({ position }) => position).filter((position) => position >= 0);
  const values = rowValues.counter(positions);
  for (const document of documents) {
    const end = rows.startOf(document + 1);
    for (let row = rows.startOf(document); row < end; row++) {
      if (passes && !passes(document, row)) continue;
      values.add(row, document);
      for (const option of others) {
        if (option.last === document || !option.members.has(row)) continue;
        option.last = document;
        sums[option.at] = (sums[option.at] as number) + 1;
      }
    }
  }
  return options.map(({ position }, at) => (position < 0 ? sums[at] : values.counts[position]) as number);
}
