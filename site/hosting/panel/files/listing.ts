import type { FileEntry } from '#control/protocol/files.ts';

/** The order and filter of a list, and how pages of it become one. Pure. */
export type Column = 'name' | 'bytes' | 'modified';
export interface Order {
  sort: Column;
  descending: boolean;
  show: 'all' | 'files' | 'directories';
}
export const firstOrder: Order = { sort: 'name', descending: false, show: 'all' };

/** After a press on a column: names begin at A, sizes with the largest, dates with the newest; once more turns it round. */
export const sortedBy = (now: Order, sort: Column): Order =>
  now.sort === sort ? { ...now, descending: !now.descending } : { ...now, sort, descending: sort !== 'name' };

const isSame = (a: FileEntry, b: FileEntry): boolean =>
  a.etag === b.etag && a.bytes === b.bytes && a.modified === b.modified && a.type === b.type;

/** Entries as they are now; those that have not changed stay the same objects, so that their rows are not drawn again. */
export function merged(before: readonly FileEntry[], after: readonly FileEntry[]): readonly FileEntry[] {
  const known = new Map(before.map((entry) => [entry.name, entry]));
  let isEqual = before.length === after.length;
  const all = after.map((entry, i) => {
    const old = known.get(entry.name);
    const kept = old && isSame(old, entry) ? old : entry;
    if (kept !== before[i]) isEqual = false;
    return kept;
  });
  return isEqual ? before : all;
}

/** The next page behind what is there: a list that changed between two pages must not show an entry twice. */
export function followedBy(before: readonly FileEntry[], page: readonly FileEntry[]): readonly FileEntry[] {
  const known = new Set(before.map(({ name }) => name));
  const fresh = page.filter(({ name }) => !known.has(name));
  return fresh.length === 0 ? before : [...before, ...fresh];
}
