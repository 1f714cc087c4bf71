import { recordEvent } from '../../platform/events/write.ts';
import type { ProcessedImage } from '../../platform/files/image.ts';
import { replacePicture } from '../../platform/files/pictures.ts';
import type { RunInTransaction } from '../../platform/files/stored-files.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { Storage } from '../../platform/storage/storage.ts';
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
  change: { actor: Actor; user_id: string; now: Date },
  image: ProcessedImage | null,
): Promise<void> {
  await setPicture(begin, storage, { ...change, kind: 'avatar' }, image);
}

/** Sets the banner of a profile, or removes it, as `setAvatar` does the avatar. Refuses the same. */
export async function setBanner(
  begin: RunInTransaction,
  storage: Storage,
  change: { actor: Actor; user_id: string; now: Date },
  image: ProcessedImage | null,
): Promise<void> {
  await setPicture(begin, storage, { ...change, kind: 'banner' }, image);
}

async function setPicture(
  begin: RunInTransaction,
  storage: Storage,
  { actor, user_id, now, kind }: { actor: Actor; user_id: string; now: Date; kind: 'avatar' | 'banner' },
  image: ProcessedImage | null,
): Promise<void> {
  const [shown, raw] = [`${kind}_key`, `raw_${kind}_key`] as const;
  await replacePicture(begin, storage, {
    by: { user_id: actor.user_id, now },
    prefix: avatarsOf(user_id),
    image,
    used: (tx) => lockedPictures(tx, user_id),
    async change(tx, picture, check) {
      const user = await lockUser(tx, actor, user_id);
      await check();
      const columns = { [shown]: picture?.key ?? null, [raw]: picture?.raw_key ?? null };
      await tx`update users set ${tx(columns)} where id = ${user_id}`;
      await recordEvent(tx, {
        name: 'user.edited',
        actor_id: actor.user_id,
        user_id,
        data: { fields: [shown] },
      });
      return [user[shown], user[raw]];
    },
  });
}

/** Both pictures: the same image as avatar and banner has one original. */
async function lockedPictures(tx: Db, user_id: string): Promise<Array<string | null>> {
  const [row] = await tx<Array<Record<string, string | null>>>`
    select avatar_key, raw_avatar_key, banner_key, raw_banner_key
    from users where id = ${user_id} for no key update`;
  return row ? Object.values(row) : [];
}
