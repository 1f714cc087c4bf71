import { Values } from './facet-values.ts';
import { type Sections, section } from './sections.ts';

/** Keys with many options on a page, and the keys of the same values over all rows of a project. */
export const countedKeys: ReadonlyMap<string, string> = new Map([
  ['game_versions', 'any_game_version'],
  ['categories', 'any_loader'],
]);

/** Writes the game versions and loaders of each row, from the lists of rows per value in `row_values`. */
export function writeRowValues(sections: Sections, size: number): void {
  const values = new Values(sections, 'row_values', size);
  const positions = [...countedKeys.keys()].flatMap((key) => {
    const [from, to] = values.positions(key);
    return Array.from({ length: to - from }, (_, i) => from + i);
  });
  const lists = positions.sort((a, b) => a - b).map((at) => ({ at, rows: values.membersAt(at) }));
  const start = new Uint32Array(size + 1);
  for (const { rows } of lists)
    rows.each((row) => {
      start[row + 1] = (start[row + 1] as number) + 1;
    });
  for (let row = 0; row < size; row++) start[row + 1] = (start[row + 1] as number) + (start[row] as number);
  const next = start.slice();
  const all = new Uint32Array(start.at(-1) ?? 0);
  for (const { at, rows } of lists)
    rows.each((row) => {
      const end = next[row] as number;
      all[end] = at;
      next[row] = end + 1;
    });
  sections.set('rows.values_start', start).set('rows.values', all);
}

/** The game versions and loaders of each row, to count all of them in one pass over few rows. */
export class RowValues {
  /** The values of row r are those from `#start[r]` up to `#start[r + 1]`, as positions in `Values`. */
  readonly #start: Uint32Array;
  readonly #values: Uint32Array;

  constructor(sections: Sections) {
    this.#start = section(sections, 'rows.values_start', Uint32Array);
    this.#values = section(sections, 'rows.values', Uint32Array);
  }

  /** Counts the documents of these values: add their rows one document after the other. */
  counter(positions: readonly number[]): RowValueCounts {
    return new RowValueCounts(this.#start, this.#values, positions);
  }
}

class RowValueCounts {
  readonly #start: Uint32Array;
  readonly #values: Uint32Array;
  readonly #from: number;
  readonly #to: number;
  /** For each value the document that was counted last. */
  readonly #last: Int32Array;
  /** For each value the number of documents. */
  readonly counts: Uint32Array;

  constructor(start: Uint32Array, values: Uint32Array, positions: readonly number[]) {
    this.#start = start;
    this.#values = values;
    this.#from = positions.reduce((least, position) => Math.min(least, position), Number.POSITIVE_INFINITY);
    this.#to = positions.reduce((most, position) => Math.max(most, position), -1) + 1;
    this.#last = new Int32Array(this.#to).fill(-1);
    this.counts = new Uint32Array(this.#to);
  }

  add(row: number, document: number): void {
    const [values, last, counts] = [this.#values, this.#last, this.counts];
    const [from, to] = [this.#from, this.#to];
    const end = this.#start[row + 1] as number;
    for (let at = this.#start[row] as number; at < end; at++) {
      const value = values[at] as number;
      if (value < from) continue;
      if (value >= to) return; // those of a row ascend
      if (last[value] === document) continue;
      last[value] = document;
      counts[value] = (counts[value] as number) + 1;
    }
  }
}
