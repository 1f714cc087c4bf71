import { Refused } from '../errors.ts';
import type { Db } from '../postgres/sql.ts';
import { ObjectExists, type StagedFile, type Storage, type StoredObject } from '../storage/storage.ts';
import { versionFileKey } from '../storage/url.ts';

/** Runs a function in a transaction of the caller. */
export type RunInTransaction = <T>(work: (tx: Db) => Promise<T>) => Promise<T>;

/** A version file by its location. */
export interface FileLocation {
  project_id: string;
  version_id: string;
  filename: string;
}

/** A staged upload and its target. */
export interface NewFile extends FileLocation {
  content: StagedFile;
}

const max_tries = 3;

/**
 * Stores uploads under their final keys, then runs `work`, which inserts their rows, in one short transaction. No row
 * is locked during file I/O, and no row lacks its file. If the transaction fails the files are removed; after a crash
 * the garbage collection removes objects without a row. Refuses `file_name_repeated` when a row already has the name,
 * `busy` when concurrent uploads keep replacing it. Source: design §4.2.
 */
export async function withStoredFiles<T>(
  runInTransaction: RunInTransaction,
  storage: Storage,
  files: readonly NewFile[],
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  const stored: NewFile[] = [];
  try {
    for (let tries = 1; ; tries++) {
      const objects: StoredObject[] = [];
      for (const file of files) {
        stored.push(file);
        objects.push(await putFile(runInTransaction, storage, file));
      }
      try {
        return await runInTransaction(async (tx) => {
          await lockFiles(tx, files);
          await assertStored(storage, objects);
          return await work(tx);
        });
      } catch (error) {
        if (!(error instanceof ObjectReplaced)) throw error;
        if (tries === max_tries) throw new Refused('busy');
      }
    }
  } catch (error) {
    await removeOrphans(runInTransaction, storage, stored).catch(() => {}); // report the first error; the garbage collection removes the rest
    throw error;
  }
}

/**
 * Removes stored files without a row, under the same lock as `withStoredFiles`: files whose commit succeeded but whose result
 * was lost are kept, and so is a new file of the same name.
 */
export async function removeOrphans(
  runInTransaction: RunInTransaction,
  storage: Storage,
  locations: readonly FileLocation[],
): Promise<void> {
  if (locations.length === 0) return;
  await runInTransaction(async (tx) => {
    await lockFiles(tx, locations);
    const versions = [...new Set(locations.map(({ version_id }) => version_id))];
    const rows = await tx<Array<{ version_id: string; filename: string }>>`
      select version_id, filename from files where version_id = any(${versions}::text[])`;
    const named = new Set(rows.map(({ version_id, filename }) => `${version_id}/${filename}`));
    for (const location of locations) {
      if (!named.has(`${location.version_id}/${location.filename}`)) await storage.remove(keyOf(location));
    }
  });
}

/** Another upload or removal changed an object between its put and the transaction. */
export class ObjectReplaced extends Error {}

/** Throws `ObjectReplaced` when an object is not the one that was put; call it under the lock of the removal. */
async function assertStored(storage: Storage, objects: readonly StoredObject[]): Promise<void> {
  for (const { key, etag } of objects)
    if ((await storage.head(key))?.etag !== etag) throw new ObjectReplaced(key);
}

/** Stores one upload under its key. Replaces an object without a row, left by a crash or an earlier attempt. */
async function putFile(
  runInTransaction: RunInTransaction,
  storage: Storage,
  file: NewFile,
): Promise<StoredObject> {
  const key = keyOf(file);
  for (let tries = 1; ; tries++) {
    try {
      return await storage.put(key, file.content);
    } catch (error) {
      if (!(error instanceof ObjectExists)) throw error;
      if (tries === max_tries) throw new Refused('busy');
    }
    await removeOrphans(runInTransaction, storage, [file]);
    if (await storage.head(key)) await refuseNamed(runInTransaction, file);
  }
}

async function refuseNamed(
  runInTransaction: RunInTransaction,
  { version_id, filename }: FileLocation,
): Promise<void> {
  const [row] = await runInTransaction(
    (tx) => tx`select 1 from files where version_id = ${version_id} and filename = ${filename}`,
  );
  if (row) throw new Refused('file_name_repeated');
}

const keyOf = ({ project_id, version_id, filename }: FileLocation) =>
  versionFileKey(project_id, version_id, filename);

/** Serializes removals and inserts of the same versions, in a fixed order. */
async function lockFiles(tx: Db, locations: readonly FileLocation[]): Promise<void> {
  const versions = [...new Set(locations.map(({ version_id }) => version_id))].sort();
  for (const version_id of versions)
    await tx`select pg_advisory_xact_lock(hashtextextended(${`files of ${version_id}`}, 0))`;
}
