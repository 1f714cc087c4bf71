import { recordEvent } from '../events/write.ts';
import type { ProcessedImage } from '../files/image.ts';
import { smallestCopy } from '../files/image-copies.ts';
import type { RunInTransaction } from '../files/stored-files.ts';
import type { Actor } from '../people/rules.ts';
import { withCopies, withKeys, withStoredPicture } from '../projects/pictures.ts';
import type { Storage } from '../storage/storage.ts';
import { lockUser } from './edit.ts';

/** Storage prefix of the images of a user. */
export const avatarsOf = (user_id: string): string => `data/users/${user_id}/`;

/**
 * Sets the avatar of a user, or removes it; the previous image is removed from storage. Refuses `not_found`,
 * `ghost_user`, `not_yours`. Source: api-v2 §7; api-behaviours §13, §15.
 */
export async function setAvatar(
  begin: RunInTransaction,
  storage: Storage,
  actor: Actor,
  user_id: string,
  image: ProcessedImage | null,
): Promise<void> {
  const picture = image && withKeys(avatarsOf(user_id).slice(0, -1), image);
  let unused = picture?.objects.map(({ key }) => key) ?? [];
  try {
    unused = await withStoredPicture(begin, storage, picture, async (tx, check) => {
      const user = await lockUser(tx, actor, user_id);
      await check();
      const columns = { avatar_key: picture?.key ?? null, raw_avatar_key: picture?.raw_key ?? null };
      await tx`update users set ${tx(columns)} where id = ${user_id}`;
      await recordEvent(tx, {
        name: 'user.edited',
        actor_id: actor.user_id,
        user_id,
        data: { fields: ['avatar_key'] },
      });
      return [user.avatar_key, user.raw_avatar_key].filter((key) => key !== null);
    });
  } finally {
    await removeUnused(begin, storage, user_id, unused).catch(() => {}); // the change is done or refused; garbage collection removes the rest
  }
}

/** Removes those of the images that the user does not use, with their copies, under the lock of `setAvatar`. */
async function removeUnused(
  begin: RunInTransaction,
  storage: Storage,
  user_id: string,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  await begin(async (tx) => {
    const rows = await tx<Array<{ avatar_key: string | null; raw_avatar_key: string | null }>>`
      select avatar_key, raw_avatar_key from users where id = ${user_id} for no key update`;
    const used = new Set(rows.flatMap(({ avatar_key, raw_avatar_key }) => [avatar_key, raw_avatar_key]));
    for (const key of withCopies(keys)) if (!used.has(smallestCopy(key))) await storage.remove(key);
  });
}
