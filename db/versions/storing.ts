import { open } from 'node:fs/promises';
import type { Db } from '../sql.ts';
import type { Storage } from '../storage/storage.ts';
import { versionFileKey } from '../storage/url.ts';

/** The doorway's transaction. */
export type Begin = <T>(work: (tx: Db) => Promise<T>) => Promise<T>;

/** A version's file by its place. */
export interface Place {
  project_id: string;
  version_id: string;
  filename: string;
}

/** Moves a finished upload to its place; the row must follow in the same transaction. */
export type Put = (place: Place, path: string) => Promise<void>;

/**
 * A transaction that may store version files: `work` calls `put` before it inserts a file's row. The bytes are durable
 * before the commit, so a row never lacks its file; when the transaction fails they are removed again, and what a
 * crash leaves is an object without a row, which the sweep takes. Source: design, Seams (Uploads).
 */
export async function storing<T>(
  begin: Begin,
  storage: Storage,
  work: (tx: Db, put: Put) => Promise<T>,
): Promise<T> {
  const placed: Place[] = [];
  try {
    return await begin(
      async (tx) =>
        await work(tx, async (place, path) => {
          await lockFiles(tx, place.version_id);
          const key = keyOf(place);
          if (await storage.head(key)) await storage.remove(key); // left by a crash: the caller saw that no row names it
          placed.push(place);
          await storage.putFile(key, path);
        }),
    );
  } catch (error) {
    await clear(begin, storage, placed).catch(() => {}); // the first error counts; the sweep removes what is left
    throw error;
  }
}

/**
 * Removes stored files whose row is gone or never came, under the lock that `put` takes: a commit whose answer was lost
 * keeps its files, and so does a new file of the same name.
 */
export async function clear(begin: Begin, storage: Storage, places: readonly Place[]): Promise<void> {
  if (places.length === 0) return;
  await begin(async (tx) => {
    const versions = [...new Set(places.map(({ version_id }) => version_id))].sort();
    for (const version_id of versions) await lockFiles(tx, version_id);
    const rows = await tx<Array<{ version_id: string; filename: string }>>`
      select version_id, filename from files where version_id = any(${versions}::text[])`;
    const kept = new Set(rows.map(({ version_id, filename }) => `${version_id}/${filename}`));
    for (const place of places) {
      if (!kept.has(`${place.version_id}/${place.filename}`)) await storage.remove(keyOf(place));
    }
  });
}

/** Writes an upload through to the disk, so that nobody waits for that while rows are locked. */
export async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const keyOf = ({ project_id, version_id, filename }: Place) =>
  versionFileKey(project_id, version_id, filename);

const lockFiles = async (tx: Db, version_id: string) => {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`files of ${version_id}`}, 0))`;
};
