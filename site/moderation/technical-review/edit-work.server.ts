import { reviewWords } from '#content/technical-review.ts';
import { externalProjects } from '#db/catalogue/external-files/read.ts';
import type * as shape from '#db/catalogue/external-files/shape.ts';
import { editExternalProject } from '#db/catalogue/external-files/write.ts';
import { settleProjectsWith } from '#db/moderation/attribution/write.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { Db } from '#db/platform/postgres/sql.ts';

const words = reviewWords.attribution;

/** Changes a work from elsewhere, and holds and releases the modpacks that have files of it. */
export async function editWork(
  tx: Db,
  actor: Actor,
  id: string,
  { edit, now }: { edit: shape.ExternalEdit; now: Date },
): Promise<void> {
  await editExternalProject(tx, actor, id, edit, now);
  const [work] = await externalProjects(tx, { ids: [id] });
  const hashes = work!.linked_files.map(({ sha1 }) => sha1);
  await settleProjectsWith(tx, actor, hashes, { now, words });
}
