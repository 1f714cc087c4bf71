import type { ProcessedImage } from '../../platform/files/image.ts';
import { iconColumns, lockedIcon, replacePicture } from '../../platform/files/pictures.ts';
import type { RunInTransaction } from '../../platform/files/stored-files.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { lockCollection, picturesOf, recordChange } from './write.ts';

/**
 * Sets the icon of the collection and its colour, or removes it; the previous image is removed from storage. Refuses
 * `not_found`, `not_yours`. Source: api-v3 §3.9; api-behaviours §13, §15.
 */
export async function setCollectionIcon(
  begin: RunInTransaction,
  storage: Storage,
  { actor, id, now }: { actor: Actor; id: string; now: Date },
  icon: (ProcessedImage & { color: number }) | null,
): Promise<void> {
  await replacePicture(begin, storage, {
    by: { user_id: actor.user_id, now },
    prefix: picturesOf(id),
    image: icon,
    used: (tx) => lockedIcon(tx, 'collections', id),
    async change(tx, picture, check) {
      const collection = await lockCollection(tx, id, actor);
      await check();
      await tx`update collections set ${tx({ ...iconColumns(picture, icon), updated: now })} where id = ${id}`;
      await recordChange(tx, 'edited', collection, actor, ['icon_key']);
      return [collection.icon_key, collection.raw_icon_key];
    },
  });
}
