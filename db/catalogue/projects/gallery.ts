import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import type { ProcessedImage } from '../../platform/files/image.ts';
import {
  pictureBytes,
  type StoredImage,
  withKeys,
  withStoredPicture,
} from '../../platform/files/pictures.ts';
import { countUpload } from '../../platform/files/quota.ts';
import type { RunInTransaction } from '../../platform/files/stored-files.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { whyNotActInTeam } from '../teams/rules.ts';
import { limits } from './limits.ts';
import { lockProject } from './locked.ts';
import { removeOrphanImages } from './pictures.ts';

/** What members say about a gallery image. */
export interface Caption {
  featured: boolean;
  title: string | null;
  description: string | null;
  /** What it shows, for people who can't see it. */
  alt: string | null;
  ordering: number;
}
/** A gallery image with its caption. */
export interface GalleryItem extends Caption {
  picture: StoredImage;
}

/**
 * Adds images to a project's gallery, in the transaction that follows their storage. Refuses
 * `gallery_picture_repeated` when two have the same content. Source: api-v2 §4.1.
 */
export async function insertAll(
  tx: Db,
  project_id: string,
  items: readonly GalleryItem[],
  now: Date,
): Promise<void> {
  if (items.length === 0) return;
  const rows = items.map(({ picture: { key, raw_key }, ...said }) => ({
    project_id,
    key,
    raw_key,
    ...said,
    created: now,
  }));
  if (new Set(rows.map(({ raw_key }) => raw_key)).size < rows.length)
    throw new Refused('gallery_picture_repeated');
  await tx`insert into gallery ${tx(rows)}`;
}

/**
 * Adds an image to the gallery; a featured one takes the place of the others. Refuses `project_unknown`, `not_a_member`,
 * `permission_missing`, `gallery_full`, `gallery_picture_repeated`, `upload_quota_reached`, `busy`. Source: api-v2 §4, §1.8.
 */
export async function addGalleryImage(
  begin: RunInTransaction,
  storage: Storage,
  { actor, project_id, now }: { actor: Actor; project_id: string; now: Date },
  { image, ...caption }: Caption & { image: ProcessedImage },
): Promise<void> {
  const picture = withKeys(`data/${project_id}/images/`, image);
  let unused = picture.objects.map(({ key }) => key);
  try {
    await withStoredPicture(begin, storage, picture, async (tx, check) => {
      await countUpload(tx, actor.user_id, pictureBytes(picture), now);
      await lockGallery(tx, actor, project_id);
      await check();
      const [there] = await tx<Array<{ images: number; same: boolean }>>`
        select count(*)::int as images, coalesce(bool_or(raw_key = ${picture.raw_key}), false) as same
        from gallery where project_id = ${project_id}`;
      if (there!.same) throw new Refused('gallery_picture_repeated');
      if (there!.images >= limits.gallery_items)
        throw new Refused('gallery_full', { limit: limits.gallery_items });
      if (caption.featured) await unfeature(tx, project_id);
      await insertAll(tx, project_id, [{ picture, ...caption }], now);
      await recordEdit(tx, actor, project_id);
    });
    unused = [];
  } finally {
    await removeOrphanImages(begin, storage, project_id, unused).catch(() => {}); // report the first error; the garbage collection removes the rest
  }
}

/**
 * Changes the caption of the image that is stored under `key` (displayed or original); absent fields stay. Refuses
 * `project_unknown`, `not_a_member`, `permission_missing`, `gallery_picture_unknown`, also for an image of another
 * project. Source: api-v2 §4.
 */
export async function editGalleryImage(
  tx: Db,
  actor: Actor,
  { project_id, key }: { project_id: string; key: string | null },
  change: Partial<Caption>,
): Promise<void> {
  await lockGallery(tx, actor, project_id);
  const { raw_key } = await imageNamed(tx, project_id, key);
  if (Object.keys(change).length === 0) return;
  if (change.featured) await unfeature(tx, project_id);
  await tx`update gallery set ${tx(change)} where project_id = ${project_id} and raw_key = ${raw_key}`;
  await recordEdit(tx, actor, project_id);
}

/** Removes an image from the gallery and from storage. Refuses what `editGalleryImage` refuses. */
export async function removeGalleryImage(
  begin: RunInTransaction,
  storage: Storage,
  actor: Actor,
  { project_id, key }: { project_id: string; key: string | null },
): Promise<void> {
  const removed = await begin(async (tx) => {
    await lockGallery(tx, actor, project_id);
    const image = await imageNamed(tx, project_id, key);
    await tx`delete from gallery where project_id = ${project_id} and raw_key = ${image.raw_key}`;
    await recordEdit(tx, actor, project_id);
    return image;
  });
  await removeOrphanImages(begin, storage, project_id, [removed.key, removed.raw_key]).catch(() => {}); // it is removed; the garbage collection removes its objects
}

/**
 * Puts the images in this order, named by the keys of their originals; others follow as they were. Refuses
 * `project_unknown`, `not_a_member`, `permission_missing`.
 */
export async function orderGallery(
  tx: Db,
  actor: Actor,
  project_id: string,
  raw_keys: readonly string[],
): Promise<void> {
  await lockGallery(tx, actor, project_id);
  const { count } = await tx`
    update gallery set ordering = sorted.place
    from (
      select raw_key as key, row_number() over (
        order by array_position(${[...raw_keys]}::text[], raw_key), ordering, created, raw_key
      ) - 1 as place
      from gallery where project_id = ${project_id}
    ) sorted
    where project_id = ${project_id} and raw_key = sorted.key and ordering <> sorted.place`;
  if (count > 0) await recordEdit(tx, actor, project_id);
}

async function lockGallery(tx: Db, actor: Actor, project_id: string): Promise<void> {
  const project = await lockProject(tx, project_id, actor, 'project_unknown');
  assertAllowed(whyNotActInTeam(project.access, 'EDIT_DETAILS'), { permission: 'EDIT_DETAILS' });
}

async function imageNamed(
  tx: Db,
  project_id: string,
  key: string | null,
): Promise<{ key: string; raw_key: string }> {
  const [image] = await tx<Array<{ key: string; raw_key: string }>>`
    select key, raw_key from gallery where project_id = ${project_id} and (key = ${key} or raw_key = ${key})`;
  if (!image) throw new Refused('gallery_picture_unknown');
  return image;
}

const unfeature = async (tx: Db, project_id: string) =>
  await tx`update gallery set featured = false where project_id = ${project_id} and featured`;

const recordEdit = async (tx: Db, { user_id }: Actor, project_id: string): Promise<void> =>
  await recordEvent(tx, {
    name: 'project.edited',
    actor_id: user_id,
    project_id,
    data: { fields: ['gallery'] },
  });
