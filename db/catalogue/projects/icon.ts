import { assertAllowed } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import type { ProcessedImage } from '../../platform/files/image.ts';
import { iconColumns, replacePicture } from '../../platform/files/pictures.ts';
import type { RunInTransaction } from '../../platform/files/stored-files.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { whyNotActInTeam } from '../teams/rules.ts';
import { lockProject } from './locked.ts';
import { usedImages } from './pictures.ts';

/**
 * Sets the icon of the project and its colour, or removes it; the previous image is removed from storage. Refuses
 * `project_unknown`, `not_a_member`, `permission_missing`. Source: api-v2 §4; api-behaviours §13, §15.
 */
export async function setProjectIcon(
  begin: RunInTransaction,
  storage: Storage,
  { actor, project_id, now }: { actor: Actor; project_id: string; now: Date },
  icon: (ProcessedImage & { color: number }) | null,
): Promise<void> {
  await replacePicture(begin, storage, {
    by: { user_id: actor.user_id, now },
    prefix: `data/${project_id}/`,
    image: icon,
    used: (tx) => usedImages(tx, project_id),
    async change(tx, picture, check) {
      const project = await lockProject(tx, project_id, actor, 'project_unknown');
      assertAllowed(whyNotActInTeam(project.access, 'EDIT_DETAILS'), { permission: 'EDIT_DETAILS' });
      await check();
      await tx`update projects set ${tx(iconColumns(picture, icon))} where id = ${project_id}`;
      await recordEvent(tx, {
        name: 'project.edited',
        actor_id: actor.user_id,
        project_id,
        data: { fields: ['icon_key'] },
      });
      return [project.icon_key, project.raw_icon_key];
    },
  });
}
