import type { Sort } from '../engine.ts';
import { type Bits, has } from './bits.ts';
import { type ColumnName, type Columns, columnNames } from './columns.ts';
import { type Sections, section } from './sections.ts';

/** By which column a sort goes; relevance without words is downloads. Source: search §2. */
export const columnOf: Readonly<Record<Sort, ColumnName>> = {
  relevance: 'downloads',
  downloads: 'downloads',
  follows: 'follows',
  newest: 'created_timestamp',
  updated: 'modified_timestamp',
};
const sorted = columnNames.filter((name) => Object.values(columnOf).includes(name));

/** Whether document `a` comes before `b` (negative) by a key; ties by newest version, then project id. */
export type Order = (a: number, b: number) => number;

export const orderBy =
  (
    keys: ArrayLike<number>,
    { newest_version }: Pick<Columns, 'newest_version'>,
    ids: readonly string[],
  ): Order =>
  (a, b) =>
    (keys[b] as number) - (keys[a] as number) ||
    (newest_version[b] as number) - (newest_version[a] as number) ||
    (a === b ? 0 : (ids[a] as string) < (ids[b] as string) ? -1 : 1);

/** Writes for every sort all documents, best first. */
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

  by(sort: Sort): Order {
    return orderBy(this.#columns[columnOf[sort]], this.#columns, this.#ids);
  }

  /** The documents of a set at places `from` to `from + count` of a sort. */
  window(sort: Sort, among: Bits, from: number, count: number): number[] {
    const order = this.#orders.get(columnOf[sort]) as Uint32Array;
    const found: number[] = [];
    let place = 0;
    for (let i = 0; i < order.length && found.length < count; i++) {
      const document = order[i] as number;
      if (has(among, document) && place++ >= from) found.push(document);
    }
    return found;
  }

  /** Puts documents whose counters were patched where they belong now: pulled out, sorted, merged back. */
  repair(touched: ReadonlySet<number>): void {
    for (const sort of ['downloads', 'follows'] as const) {
      const order = this.#orders.get(sort) as Uint32Array;
      const before = this.by(sort);
      const moved = [...touched].sort(before);
      const rest = order.filter((document) => !touched.has(document));
      for (let at = 0, i = 0, j = 0; at < order.length; at++) {
        const next = i < rest.length ? (rest[i] as number) : -1;
        const takesMoved = j < moved.length && (next < 0 || before(moved[j] as number, next) < 0);
        order[at] = takesMoved ? (moved[j++] as number) : next;
        if (!takesMoved) i++;
      }
    }
  }
}
