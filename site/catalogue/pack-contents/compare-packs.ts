import type { PackEntry } from '#db/catalogue/versions/pack-contents/read.ts';

/** What changed from one version of a modpack to a later one. */
export interface PackChanges {
  added: PackEntry[];
  removed: PackEntry[];
  /** The same project or file name, with another version or other bytes. */
  updated: Array<{ before: PackEntry; after: PackEntry }>;
}

/** The last part of a path. */
const fileNameOf = ({ path }: Pick<PackEntry, 'path'>): string => path.slice(path.lastIndexOf('/') + 1);

const targetOf = (entry: PackEntry): string =>
  entry.hosted ? `project ${entry.hosted.project.id}` : `file ${fileNameOf(entry)}`;

/** What it is of that target; the bytes are all that is known of a file in the archive. */
const exactly = (entry: PackEntry): string =>
  `${targetOf(entry)} ${entry.hosted ? (entry.hosted.version?.id ?? '') : (entry.sha1 ?? entry.bytes ?? '')}`;

/** What changed from `before` to `after`. A target that stands there several times is matched in order. */
export function comparePacks(before: readonly PackEntry[], after: readonly PackEntry[]): PackChanges {
  const [gone, come] = [without(before, after), without(after, before)];
  const left = Map.groupBy(gone, targetOf);
  const changes: PackChanges = { added: [], removed: [], updated: [] };
  for (const entry of come) {
    const old = left.get(targetOf(entry))?.shift();
    if (old) changes.updated.push({ before: old, after: entry });
    else changes.added.push(entry);
  }
  changes.removed = [...left.values()].flat();
  return changes;
}

function without(list: readonly PackEntry[], others: readonly PackEntry[]): PackEntry[] {
  const there = new Set(others.map(exactly));
  return list.filter((entry) => !there.has(exactly(entry)));
}
