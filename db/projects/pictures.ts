import { createHash } from 'node:crypto';
import { Refused } from '../errors.ts';
import type { ProcessedImage } from '../files/image.ts';
import { copiesOf, smallestCopy } from '../files/image-copies.ts';
import { ObjectReplaced, type RunInTransaction } from '../files/stored-files.ts';
import type { Db } from '../sql.ts';
import type { Storage, StoredObject } from '../storage/storage.ts';

/** An image with its storage keys. */
export interface StoredImage {
  /** The image to display: the smallest copy, which names the others (`copiesOf`), else the original. */
  key: string;
  raw_key: string;
  objects: Array<{ key: string; bytes: Uint8Array }>;
}

/** Names an image by the hash of its content below `folder` (`data/{project}`). Source: api-v2 §15. */
export function withKeys(folder: string, { raw, copies }: ProcessedImage): StoredImage {
  const name = createHash('sha1').update(raw.bytes).digest('hex');
  const objects = [raw, ...copies].map(({ suffix, bytes }) => ({ key: `${folder}/${name}${suffix}`, bytes }));
  return { key: (objects[1] ?? objects[0]!).key, raw_key: objects[0]!.key, objects };
}

/** The keys of these images with those of all their copies, each once. */
export const withCopies = (keys: readonly (string | null)[]): string[] => [
  ...new Set(keys.flatMap((key) => (key ? [key, ...copiesOf(key).map(({ name }) => name)] : []))),
];

/** Stores an image, before a transaction refers to it. */
export async function storeImage(storage: Storage, { objects }: StoredImage): Promise<StoredObject[]> {
  const stored: StoredObject[] = [];
  for (const { key, bytes } of objects) stored.push(await storage.putBytes(key, bytes));
  return stored;
}

const max_tries = 3;

/**
 * Stores an image and then runs `work` in one short transaction, which first locks the row that refers to the image
 * and then calls `check`. If another change removed the same image meanwhile, it is stored again. Refuses `busy` when
 * that happens repeatedly.
 */
export async function withStoredPicture<T>(
  begin: RunInTransaction,
  storage: Storage,
  picture: StoredImage | null,
  work: (tx: Db, check: () => Promise<void>) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    const stored = picture ? await storeImage(storage, picture) : [];
    try {
      return await begin((tx) => work(tx, () => assertPresent(storage, stored)));
    } catch (error) {
      if (!(error instanceof ObjectReplaced)) throw error;
      if (tries === max_tries) throw new Refused('busy');
    }
  }
}

/** The key contains the hash, so an existing object is the same image. */
async function assertPresent(storage: Storage, stored: readonly StoredObject[]): Promise<void> {
  for (const { key } of stored) if (!(await storage.head(key))) throw new ObjectReplaced(key);
}

/**
 * Removes those of the images that the project does not use, with their copies, under the lock under which images are
 * stored.
 */
export async function removeOrphanImages(
  begin: RunInTransaction,
  storage: Storage,
  project_id: string,
  keys: readonly (string | null)[],
): Promise<void> {
  const doubtful = withCopies(keys);
  if (doubtful.length === 0) return;
  await begin(async (tx) => {
    await tx`select 1 from projects where id = ${project_id} for no key update`;
    const used = await usedKeys(tx, project_id);
    for (const key of doubtful) if (!used.has(smallestCopy(key))) await storage.remove(key);
  });
}

async function usedKeys(tx: Db, project_id: string): Promise<Set<string>> {
  const rows = await tx<Array<{ key: string | null }>>`
    select unnest(array[icon_key, raw_icon_key]) as key from projects where id = ${project_id}
    union select unnest(array[key, raw_key]) from gallery where project_id = ${project_id}`;
  return new Set(rows.flatMap(({ key }) => key ?? []));
}
