import { assertAllowed } from '../errors.ts';
import { recordEvent } from '../events/write.ts';
import type { ProcessedImage } from '../files/image.ts';
import type { RunInTransaction } from '../files/stored-files.ts';
import type { Actor } from '../people/rules.ts';
import type { Storage } from '../storage/storage.ts';
import { whyNotActInTeam } from '../teams/rules.ts';
import { lockProject } from './locked.ts';
import { removeOrphanImages, withKeys, withStoredPicture } from './pictures.ts';

/**
 * Sets the icon of the project and its colour, or removes it; the previous image is removed from storage. Refuses
 * `project_unknown`, `not_a_member`, `permission_missing`. Source: api-v2 §4; api-behaviours §13, §15.
 */
export async function setProjectIcon(
  begin: RunInTransaction,
  storage: Storage,
  actor: Actor,
  project_id: string,
  icon: (ProcessedImage & { color: number }) | null,
): Promise<void> {
  const picture = icon ? withKeys(`data/${project_id}`, icon) : null;
  const keys = picture?.objects.map(({ key }) => key) ?? [];
  let unused = keys;
  try {
    unused = await withStoredPicture(begin, storage, picture, async (tx, check) => {
      const project = await lockProject(tx, project_id, actor, 'project_unknown');
      assertAllowed(whyNotActInTeam(project.access, 'EDIT_DETAILS'), { permission: 'EDIT_DETAILS' });
      await check();
      const columns = {
        icon_key: picture?.key ?? null,
        raw_icon_key: picture?.raw_key ?? null,
        color: icon?.color ?? null,
      };
      await tx`update projects set ${tx(columns)} where id = ${project_id}`;
      await recordEvent(tx, {
        name: 'project.edited',
        actor_id: actor.user_id,
        project_id,
        data: { fields: ['icon_key'] },
      });
      return [project.icon_key, project.raw_icon_key].filter((key) => key !== null);
    });
  } finally {
    await removeOrphanImages(begin, storage, project_id, unused).catch(() => {}); // the change is done or refused; the garbage collection removes the rest
  }
}
