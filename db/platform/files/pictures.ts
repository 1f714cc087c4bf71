import { createHash } from 'node:crypto';
import { Refused } from '../errors.ts';
import type { Db } from '../postgres/sql.ts';
import type { Storage, StoredObject } from '../storage/storage.ts';
import type { ProcessedImage } from './image.ts';
import { copiesOf, smallestCopy } from './image-copies.ts';
import { countUpload } from './quota.ts';
import { ObjectReplaced, type RunInTransaction } from './stored-files.ts';

/** An image with its storage keys. */
export interface StoredImage {
  /** The image to display: the smallest copy, which names the others (`copiesOf`), else the original. */
  key: string;
  raw_key: string;
  objects: Array<{ key: string; bytes: Uint8Array }>;
}

/** Names an image by the hash of its content below `prefix` (`data/{project}/`). Source: api-v2 §15. */
export function withKeys(prefix: string, { raw, copies }: ProcessedImage): StoredImage {
  const name = createHash('sha1').update(raw.bytes).digest('hex');
  const objects = [raw, ...copies].map(({ suffix, bytes }) => ({ key: `${prefix}${name}${suffix}`, bytes }));
  return { key: (objects[1] ?? objects[0]!).key, raw_key: objects[0]!.key, objects };
}

/** The stored bytes of an image with its copies. */
export const pictureBytes = ({ objects }: StoredImage): number =>
  objects.reduce((sum, { bytes }) => sum + bytes.length, 0);

/** The keys of these images with those of all their copies, each once. */
const withCopies = (keys: readonly (string | null)[]): string[] => [
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

/** One image of a row: an icon, an avatar. */
interface Replacement {
  /** Whose daily quota the new image counts for, and when. */
  by: { user_id: string; now: Date };
  /** Where images of the row are stored: `data/{project}/`. */
  prefix: string;
  /** The new image; null only removes the previous one. */
  image: ProcessedImage | null;
  /** Locks the row, checks, awaits `check`, writes the new keys, and gives the previous ones. */
  change(
    tx: Db,
    picture: StoredImage | null,
    check: () => Promise<void>,
  ): Promise<readonly (string | null)[]>;
  /** As `removeUnused` takes it. */
  used(tx: Db): Promise<readonly (string | null)[]>;
}

/**
 * Stores an image, refers to it, and removes the previous one from storage; after a refusal it removes the new one.
 * Refuses `upload_quota_reached` and what `change` and `withStoredPicture` refuse.
 */
export async function replacePicture(
  begin: RunInTransaction,
  storage: Storage,
  { by, prefix, image, change, used }: Replacement,
): Promise<void> {
  const picture = image && withKeys(prefix, image);
  let unused: readonly (string | null)[] = picture?.objects.map(({ key }) => key) ?? [];
  try {
    unused = await withStoredPicture(begin, storage, picture, async (tx, check) => {
      if (picture) await countUpload(tx, by.user_id, pictureBytes(picture), by.now);
      return await change(tx, picture, check);
    });
  } finally {
    await removeUnused(begin, storage, unused, used).catch(() => {}); // the change is done or refused; garbage collection removes the rest
  }
}

/**
 * Removes those of the images that are not used, with their copies. `used` takes the lock under which such images are
 * stored, and gives the keys in use.
 */
export async function removeUnused(
  begin: RunInTransaction,
  storage: Storage,
  keys: readonly (string | null)[],
  used: Replacement['used'],
): Promise<void> {
  const doubtful = withCopies(keys);
  if (doubtful.length === 0) return;
  await begin(async (tx) => {
    const needed = new Set(await used(tx));
    for (const key of doubtful) if (!needed.has(smallestCopy(key))) await storage.remove(key);
  });
}

/** The columns of an icon with its colour. */
export const iconColumns = (picture: StoredImage | null, icon: { color: number } | null) => ({
  icon_key: picture?.key ?? null,
  raw_icon_key: picture?.raw_key ?? null,
  color: icon?.color ?? null,
});

/** The images of a row that has an icon only, locked. */
export async function lockedIcon(
  tx: Db,
  table: 'organizations' | 'collections' | 'oauth_clients',
  id: string,
): Promise<Array<string | null>> {
  const [row] = await tx<Array<{ icon_key: string | null; raw_icon_key: string | null }>>`
    select icon_key, raw_icon_key from ${tx(table)} where id = ${id} for no key update`;
  return row ? [row.icon_key, row.raw_icon_key] : [];
}
