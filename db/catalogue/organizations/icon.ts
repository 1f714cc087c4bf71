import type { ProcessedImage } from '../../platform/files/image.ts';
import { iconColumns, lockedIcon, replacePicture } from '../../platform/files/pictures.ts';
import type { RunInTransaction } from '../../platform/files/stored-files.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { assertPermission, iconsOf, lockOrganization, recordEdit } from './write.ts';

/**
 * Sets the icon of the organization and its colour, or removes it; the previous image is removed from storage. Refuses
 * `not_found`, `not_a_member`, `permission_missing`. Source: api-v3 §3.9; api-behaviours §13, §15.
 */
export async function setOrganizationIcon(
  begin: RunInTransaction,
  storage: Storage,
  { actor, id, now }: { actor: Actor; id: string; now: Date },
  icon: (ProcessedImage & { color: number }) | null,
): Promise<void> {
  await replacePicture(begin, storage, {
    by: { user_id: actor.user_id, now },
    prefix: iconsOf(id),
    image: icon,
    used: (tx) => lockedIcon(tx, 'organizations', id),
    async change(tx, picture, check) {
      const organization = await lockOrganization(tx, id, actor);
      assertPermission(organization, 'EDIT_DETAILS');
      await check();
      await tx`update organizations set ${tx(iconColumns(picture, icon))} where id = ${id}`;
      await recordEdit(tx, actor, id, ['icon_key']);
      return [organization.icon_key, organization.raw_icon_key];
    },
  });
}
