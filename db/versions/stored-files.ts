import { Refused } from '../errors.ts';
import type { Db } from '../sql.ts';
import { ObjectExists, type StagedFile, type Storage, type StoredObject } from '../storage/storage.ts';
import { versionFileKey } from '../storage/url.ts';

/** Runs a function in a transaction of the caller. */
export type RunInTransaction = <T>(work: (tx: Db) => Promise<T>) => Promise<T>;

/** A version's file by its place. */
export interface FileLocation {
  project_id: string;
  version_id: string;
  filename: string;
}

/** A staged upload and the place it is for. */
export interface NewFile extends FileLocation {
  content: StagedFile;
}

const max_tries = 3;

/**
 * Puts uploads at their final keys, then runs `work`, which inserts their rows, in one short transaction: no row is
 * locked while bytes move, and no row ever lacks its bytes. When the transaction fails the bytes are removed again; what
 * a crash leaves is an object without a row, which the garbage collection removes. Refuses `file_name_repeated` when a
 * row has the name already, `busy` when others keep replacing the same name. Source: design §4.2.
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
    await removeOrphans(runInTransaction, storage, stored).catch(() => {}); // the first error counts; the rest is collected later
    throw error;
  }
}

/**
 * Removes stored files whose row is gone or never came, under the lock of `storing`'s transaction: a commit whose answer
 * was lost keeps its files, and so does a new file of the same name.
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

/** Another upload or a removal changed an object between its put and the transaction. */
export class ObjectReplaced extends Error {}

/** Throws `ObjectReplaced` when one of the objects is not there any more as it was put; call it under the lock of their removal. */
async function assertStored(storage: Storage, objects: readonly StoredObject[]): Promise<void> {
  for (const { key, etag } of objects)
    if ((await storage.head(key))?.etag !== etag) throw new ObjectReplaced(key);
}

/** Puts one upload at its key. An object that no row names is in the way after a crash or another try: it makes room. */
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

/** Orders removals and new rows of the same versions; always in the same order. */
async function lockFiles(tx: Db, locations: readonly FileLocation[]): Promise<void> {
  const versions = [...new Set(locations.map(({ version_id }) => version_id))].sort();
  for (const version_id of versions)
    await tx`select pg_advisory_xact_lock(hashtextextended(${`files of ${version_id}`}, 0))`;
}
