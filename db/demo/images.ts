import { createHash } from 'node:crypto';
import sharp from 'sharp';
import type { ProcessedImage } from '../files/image.ts';
import { type StoredImage, storeImage, withKeys } from '../projects/pictures.ts';
import type { Storage } from '../storage/storage.ts';
import { icon, scene } from './art/pictures.ts';
import { each } from './each.ts';
import { demoId } from './ids.ts';
import type { PlannedPicture } from './pictures.ts';
import type { PlannedProject } from './plan.ts';

/** A gallery image with its storage keys. */
export interface DrawnPicture extends PlannedPicture {
  picture: StoredImage;
}

/** Draws and stores an icon (of a project, user or organization) below `folder`; gives its key. */
export async function storeIcon(storage: Storage, folder: string, svg: string): Promise<string> {
  const bytes = await sharp(Buffer.from(svg)).resize(96, 96).webp({ quality: 90 }).toBuffer();
  const key = `${folder}/${createHash('sha1').update(bytes).digest('hex')}_96.webp`;
  await storage.putBytes(key, bytes);
  return key;
}

/** The icons of all projects, by project. */
export async function storeIcons(storage: Storage, plans: PlannedProject[]): Promise<Map<string, string>> {
  const keys = new Map<string, string>();
  await each(plans, async ({ id, slug, motif, palette }) => {
    keys.set(id, await storeIcon(storage, `data/${id}`, icon(slug, { motif, palette })));
  });
  return keys;
}

/** The avatar of a user: a motif chosen by the name. */
export const storeFace = (storage: Storage, username: string): Promise<string> =>
  storeIcon(storage, `data/users/${demoId(`user ${username}`)}`, icon(`person ${username}`));

/** Draws and stores the galleries like uploads: the original and its small copy. By project, in order. */
export async function storeGalleries(
  storage: Storage,
  plans: PlannedProject[],
): Promise<Map<string, DrawnPicture[]>> {
  const galleries = new Map(plans.map(({ id }) => [id, [] as DrawnPicture[]]));
  const all = plans.flatMap(({ id, pictures }) => pictures.map((planned, place) => ({ id, planned, place })));
  await each(all, async ({ id, planned, place }) => {
    const picture = withKeys(`data/${id}`, await draw(planned));
    await storeImage(storage, picture);
    galleries.get(id)![place] = { ...planned, picture };
  });
  return galleries;
}

/** Drawn once at 800 by 450 (the width on a page) and resized for the small copy. */
async function draw({ seed, kind, palette }: PlannedPicture): Promise<ProcessedImage> {
  const svg = Buffer.from(scene(seed, kind, palette));
  const { data, info } = await sharp(svg, { density: 90 })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const drawn = () => sharp(data, { raw: info as { width: number; height: number; channels: 3 } });
  const [raw, small] = await Promise.all([
    drawn().webp({ quality: 82, effort: 0 }).toBuffer(),
    drawn().resize({ width: 350 }).webp({ quality: 75, effort: 1 }).toBuffer(),
  ]);
  return { raw: { suffix: '.webp', bytes: raw }, small: { suffix: '_350.webp', bytes: small } };
}
