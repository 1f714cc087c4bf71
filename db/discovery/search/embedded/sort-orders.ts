import type { Sort } from '../sorts.ts';
import { type Bits, bitsFor, has, set } from './bits.ts';
import { type ColumnName, type Columns, columnNames } from './numeric-columns.ts';
import { type Sections, section } from './sections.ts';

/** Column of each sort; relevance without words uses downloads. Source: search §2. */
export const columnOf: Readonly<Record<Sort, ColumnName>> = {
  relevance: 'downloads',
  downloads: 'downloads',
  follows: 'follows',
  newest: 'created_timestamp',
  updated: 'modified_timestamp',
};
const sorted = columnNames.filter((name) => Object.values(columnOf).includes(name));

/** Compares documents `a` and `b` by a key; ties by newest version, then project id. */
export type SortKey = (a: number, b: number) => number;

export const orderBy =
  (
    keys: ArrayLike<number>,
    { newest_version }: Pick<Columns, 'newest_version'>,
    ids: readonly string[],
  ): SortKey =>
  (a, b) =>
    (keys[b] as number) - (keys[a] as number) ||
    (newest_version[b] as number) - (newest_version[a] as number) ||
    (a === b ? 0 : (ids[a] as string) < (ids[b] as string) ? -1 : 1);

/** Writes all documents for every sort, best first. */
export function writeOrders(sections: Sections, columns: Columns, ids: readonly string[]): void {
  for (const name of sorted) {
    const order = Uint32Array.from(ids, (_, i) => i).sort(orderBy(columns[name], columns, ids));
    sections.set(`orders.${name}`, order);
  }
}

/** All documents in the order of each sort. */
export class Orders {
  readonly #orders: ReadonlyMap<ColumnName, Uint32Array>;
  readonly #columns: Columns;
  readonly #ids: readonly string[];

  constructor(sections: Sections, columns: Columns, ids: readonly string[]) {
    this.#orders = new Map(sorted.map((name) => [name, section(sections, `orders.${name}`, Uint32Array)]));
    this.#columns = columns;
    this.#ids = ids;
  }

  by(sort: Sort): SortKey {
    return orderBy(this.#columns[columnOf[sort]], this.#columns, this.#ids);
  }

  /** The documents of a set at positions `from` to `from + count` of a sort. */
  window(sort: Sort, among: Bits, from: number, count: number): number[] {
    const order = this.#orders.get(columnOf[sort]) as Uint32Array;
    const found: number[] = [];
    let position = 0;
    for (let i = 0; i < order.length && found.length < count; i++) {
      const document = order[i] as number;
      if (has(among, document) && position++ >= from) found.push(document);
    }
    return found;
  }

  /** Moves documents with updated counters to their new positions: removed, sorted, merged back. */
  repair(touched: ReadonlySet<number>): void {
    const marked = bitsFor(this.#ids.length);
    for (const document of touched) set(marked, document);
    for (const sort of ['downloads', 'follows'] as const) {
      const order = this.#orders.get(columnOf[sort]) as Uint32Array;
      const before = this.by(sort);
      let end = 0;
      for (let i = 0; i < order.length; i++) {
        const document = order[i] as number;
        if (!has(marked, document)) order[end++] = document;
      }
      // from the end: unchanged documents move once, over the gaps behind them
      for (const [gaps, document] of [...[...touched].sort(before).entries()].reverse()) {
        const position = positionOf(document, order, end, before);
        order.copyWithin(position + gaps + 1, position, end);
        order[position + gaps] = document;
        end = position;
      }
    }
  }
}

/** Number of documents among the first `end` of an order that sort before a document. */
function positionOf(document: number, order: Uint32Array, end: number, before: SortKey): number {
  let [low, high] = [0, end];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (before(order[middle] as number, document) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
