import type { Line, Row } from '../core/apply-update.ts';
import { displayLine, heightOf } from './display-line.ts';
import { type Found, find } from './search-lines.ts';

/** The items of the list: console rows, or search results. Pure. */
export type Item = Found;

export const itemsOf = (rows: readonly Row[]): Item[] => rows.map((row, at) => ({ row, at, hit: false }));
export const keyOf = (item: Item): string => ('row' in item ? item.row.key : item.key);

/** The items for `query` and the positions of its hits among them; all rows for an empty query. */
export function searched(rows: readonly Row[], query: string): { items: Item[]; hits: number[] } {
  if (query === '') return { items: itemsOf(rows), hits: [] };
  const { found } = find(rows, query);
  return { items: found, hits: found.flatMap((item, at) => ('row' in item && item.hit ? [at] : [])) };
}

/** The height of each item in lines; everything but a line has one. */
export const heightsOf = (items: readonly Item[], columns: number): number[] =>
  items.map((item) =>
    'row' in item && item.row.kind === 'line' ? heightOf(displayLine(item.row.line), columns) : 1,
  );

/** The selected lines, all of them when `chosen` is null. */
export function linesIn(items: readonly Item[], chosen: readonly [number, number] | null): Line[] {
  const [from, to] = chosen ?? [0, items.length - 1];
  return items
    .slice(from, to + 1)
    .flatMap((item) => ('row' in item && item.row.kind === 'line' ? [item.row.line] : []));
}

/** The selected lines as text for the clipboard; all of them when `chosen` is null. */
export const textOf = (items: readonly Item[], chosen: readonly [number, number] | null): string =>
  linesIn(items, chosen)
    .map((line) => displayLine(line).text)
    .join('\n');
