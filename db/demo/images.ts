import sharp from 'sharp';
import { copiesFrom, type ProcessedImage } from '../platform/files/image.ts';
import { copyWidths } from '../platform/files/image-copies.ts';
import { type StoredImage, storeImage, withKeys } from '../platform/files/pictures.ts';
import type { Storage } from '../platform/storage/storage.ts';
import { icon, scene } from './art/pictures.ts';
import { each } from './each.ts';
import { demoId } from './ids.ts';
import type { PlannedPicture } from './pictures.ts';
import type { PlannedProject } from './plan.ts';

/** A gallery image with its storage keys. */
export interface DrawnPicture extends PlannedPicture {
  picture: StoredImage;
}

/** Draws and stores an icon (of a project, user or organization) below `folder`. */
export async function storeIcon(storage: Storage, folder: string, svg: string): Promise<StoredImage> {
  const drawn = await sharp(Buffer.from(svg)).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const copies = await copiesFrom(drawn, copyWidths.icon, { quick: true });
  const picture = withKeys(`${folder}/`, { raw: { suffix: '.webp', bytes: copies.at(-1)!.bytes }, copies });
  await storeImage(storage, picture);
  return picture;
}

/** The icons of all projects, by project. */
export async function storeIcons(
  storage: Storage,
  plans: PlannedProject[],
): Promise<Map<string, StoredImage>> {
  const icons = new Map<string, StoredImage>();
  await each(plans, async ({ id, slug, motif, palette }) => {
    icons.set(id, await storeIcon(storage, `data/${id}`, icon(slug, { motif, palette })));
  });
  return icons;
}

/** The avatar of a user: a motif chosen by the name. */
export const storeFace = (storage: Storage, username: string): Promise<StoredImage> =>
  storeIcon(storage, `data/users/${demoId(`user ${username}`)}`, icon(`person ${username}`));

/** Draws and stores the galleries like uploads: the original and its copies. By project, in order. */
export async function storeGalleries(
  storage: Storage,
  plans: readonly PlannedProject[],
): Promise<Map<string, DrawnPicture[]>> {
  const galleries = new Map(plans.map(({ id }) => [id, [] as DrawnPicture[]]));
  const all = plans.flatMap(({ id, pictures }) => pictures.map((planned, place) => ({ id, planned, place })));
  await each(all, async ({ id, planned, place }) => {
    const picture = withKeys(`data/${id}/images/`, await draw(planned));
    await storeImage(storage, picture);
    galleries.get(id)![place] = { ...planned, picture };
  });
  return galleries;
}

/** Drawn once, the vector drawing is 640 wide; quickly encoded, since there are hundreds. */
async function draw({ seed, kind, palette, width }: PlannedPicture): Promise<ProcessedImage> {
  const svg = Buffer.from(scene(seed, kind, palette));
  const drawn = await sharp(svg, { density: (72 * width) / 640 })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const [bytes, copies] = await Promise.all([
    sharp(drawn.data, { raw: drawn.info }).webp({ quality: 82, effort: 0 }).toBuffer(),
    copiesFrom(drawn, copyWidths.gallery, { quick: true }),
  ]);
  return { raw: { suffix: '.webp', bytes }, copies };
}
