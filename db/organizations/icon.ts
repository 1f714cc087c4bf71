import type { ProcessedImage } from '../files/image.ts';
import { smallestCopy } from '../files/image-copies.ts';
import type { RunInTransaction } from '../files/stored-files.ts';
import type { Actor } from '../people/rules.ts';
import { withCopies, withKeys, withStoredPicture } from '../projects/pictures.ts';
import type { Db } from '../sql.ts';
import type { Storage } from '../storage/storage.ts';
import { assertPermission, iconsOf, lockOrganization, recordEdit } from './write.ts';

/**
 * Sets the icon of the organization and its colour, or removes it; the previous image is removed from storage. Refuses
 * `not_found`, `not_a_member`, `permission_missing`. Source: api-v3 §3.9; api-behaviours §13, §15.
 */
export async function setOrganizationIcon(
  begin: RunInTransaction,
  storage: Storage,
  { actor, id }: { actor: Actor; id: string },
  icon: (ProcessedImage & { color: number }) | null,
): Promise<void> {
  const picture = icon && withKeys(iconsOf(id).slice(0, -1), icon);
  let unused = picture?.objects.map(({ key }) => key) ?? [];
  try {
    unused = await withStoredPicture(begin, storage, picture, async (tx, check) => {
      const organization = await lockOrganization(tx, id, actor);
      assertPermission(organization, 'EDIT_DETAILS');
      await check();
      const columns = {
        icon_key: picture?.key ?? null,
        raw_icon_key: picture?.raw_key ?? null,
        color: icon?.color ?? null,
      };
      await tx`update organizations set ${tx(columns)} where id = ${id}`;
      await recordEdit(tx, actor, id);
      return [organization.icon_key, organization.raw_icon_key].filter((key) => key !== null);
    });
  } finally {
    await removeOrphanImages(begin, storage, id, unused).catch(() => {}); // the change is done or refused; garbage collection removes the rest
  }
}

/**
 * Removes those of the images that the organization does not use, with their copies, under the lock under which images
 * are stored.
 */
async function removeOrphanImages(
  begin: RunInTransaction,
  storage: Storage,
  id: string,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  await begin(async (tx: Db) => {
    const rows = await tx<Array<{ icon_key: string | null; raw_icon_key: string | null }>>`
      select icon_key, raw_icon_key from organizations where id = ${id} for no key update`;
    const used = new Set(rows.flatMap(({ icon_key, raw_icon_key }) => [icon_key, raw_icon_key]));
    for (const key of withCopies(keys)) if (!used.has(smallestCopy(key))) await storage.remove(key);
  });
}
