import { Refused } from '../errors.ts';
import type { Db } from '../sql.ts';
import type { StoredImage } from './pictures.ts';

/** A gallery image with its caption. */
export interface GalleryItem {
  picture: StoredImage;
  featured: boolean;
  title: string | null;
  description: string | null;
  ordering: number;
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
