import type { ImageContext } from '../../messages/images/rules.ts';
import type { ProcessedImage } from '../../platform/files/image.ts';
import { pictureBytes, withKeys, withStoredPicture } from '../../platform/files/pictures.ts';
import { countUpload } from '../../platform/files/quota.ts';
import type { RunInTransaction } from '../../platform/files/stored-files.ts';
import { newId } from '../../platform/id.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { type EditableItem, editableTarget } from './embed.ts';

/** An image to store: by whom, for which kind of text, and for which item if that exists already. */
export interface NewImage {
  actor: Actor;
  context: ImageContext;
  item_id: string | null;
  image: ProcessedImage;
  now: Date;
}

/**
 * Stores an image for a text and gives its id. Without an item it waits a day for the text that names it. Another row
 * may have the same bytes, so files of a refused one are left to the garbage collection. Refuses
 * `upload_quota_reached` and what `editableTarget` refuses. Source: api-v3 §3.9; api-behaviours §15.
 */
export async function storeTextImage(
  begin: RunInTransaction,
  storage: Storage,
  { actor, context, item_id, image, now }: NewImage,
  editableReport: EditableItem,
): Promise<string> {
  const picture = withKeys('data/cached_images/', image);
  const id = newId();
  await withStoredPicture(begin, storage, picture, async (tx, check) => {
    await countUpload(tx, actor.user_id, pictureBytes(picture), now);
    const target =
      item_id === null ? null : await editableTarget(tx, actor, { context, id: item_id }, editableReport);
    await check();
    await tx`insert into images ${tx({
      id,
      key: picture.key,
      raw_key: picture.raw_key,
      size: image.raw.bytes.length,
      owner_id: actor.user_id,
      context,
      ...(target ? { [`${context}_id`]: target.id } : {}),
      created: now,
    })}`;
  });
  return id;
}
