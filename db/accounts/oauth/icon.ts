import { Refused } from '../../platform/errors.ts';
import type { ProcessedImage } from '../../platform/files/image.ts';
import { iconColumns, lockedIcon, replacePicture } from '../../platform/files/pictures.ts';
import type { RunInTransaction } from '../../platform/files/stored-files.ts';
import { isId } from '../../platform/id.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { lockClient, recordChange } from './write.ts';

/** Storage prefix of the icons of an app. */
export const iconsOfClient = (id: string): string => `data/applications/${id}/`;

/**
 * Sets the icon of an app, or removes it; the previous image is removed from storage. Refuses `not_found`, `not_yours`.
 * Source: api-v3 §3.11; api-behaviours §13, §15.
 */
export async function setClientIcon(
  begin: RunInTransaction,
  storage: Storage,
  { actor, id, now }: { actor: Actor; id: string; now: Date },
  icon: (ProcessedImage & { color: number }) | null,
): Promise<void> {
  if (!isId(id)) throw new Refused('not_found'); // it names a folder
  await replacePicture(begin, storage, {
    by: { user_id: actor.user_id, now },
    prefix: iconsOfClient(id),
    image: icon,
    used: (tx) => lockedIcon(tx, 'oauth_clients', id),
    async change(tx, picture, check) {
      const client = await lockClient(tx, actor, id);
      await check();
      await tx`update oauth_clients set ${tx(iconColumns(picture, icon))} where id = ${id}`;
      await recordChange(tx, actor, client.created_by, 'edited');
      return [client.icon_key, client.raw_icon_key];
    },
  });
}

/** Deletes an app with its icon; everything that users granted it ends. Refuses `not_found`, `not_yours`. */
export async function deleteClient(
  begin: RunInTransaction,
  storage: Storage,
  { actor, id }: { actor: Actor; id: string },
): Promise<void> {
  await begin(async (tx) => {
    const client = await lockClient(tx, actor, id);
    const gone = await tx`delete from oauth_clients where id = ${id}`;
    if (gone.count === 0) throw new Refused('not_found');
    await recordChange(tx, actor, client.created_by, 'deleted');
  });
  await storage.removeAll(iconsOfClient(id)).catch(() => {}); // garbage collection removes the rest
}
