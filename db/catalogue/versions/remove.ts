import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import type { FileLocation } from '../../platform/files/stored-files.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { isMemberOrInvited } from '../teams/rules.ts';
import { lockVersion } from './edit.ts';
import { recomputeAggregates } from './recompute-aggregates.ts';
import { whyNotChangeHeld, whyNotRemoveFile, whyNotRemoveVersion } from './rules.ts';

/**
 * Deletes a version with its files and hashes; dependencies on it become dependencies on its project. The addresses of one that
 * was public say so for ever, and whether staff did it. Gives the files that the caller removes from storage after the commit. Refuses `version_unknown` (400), `not_a_member`,
 * `permission_missing`, `version_held`. Source: api-v2 §5; api-behaviours §13.
 */
export async function removeVersion(tx: Db, actor: Actor, version_id: string): Promise<FileLocation[]> {
  const { project_id, access, held } = await lockVersion(tx, version_id, actor, 'version_unknown');
  assertAllowed(whyNotRemoveVersion(access) ?? whyNotChangeHeld(held, access), {
    permission: 'DELETE_VERSION',
  });
  const files = await tx<
    Array<{ filename: string }>
  >`select filename from files where version_id = ${version_id}`;
  await tx`delete from versions where id = ${version_id}`;
  if (!isMemberOrInvited(access))
    await tx`update deleted_versions set by_staff = true where id = ${version_id}`;
  await recomputeAggregates(tx, project_id);
  await recordEvent(tx, { name: 'version.deleted', actor_id: actor.user_id, project_id, version_id });
  return files.map(({ filename }) => ({ project_id, version_id, filename }));
}

/**
 * Deletes one file of a version, except the last one. If it was the primary file, the next one becomes primary;
 * signatures and other typed files come last. Gives the file that the caller removes from storage after the commit.
 * Refuses `not_found`, `not_a_member`, `permission_missing`, `last_file`, `version_held`.
 * Source: api-v2 §6; api-behaviours §6.
 */
export async function removeFile(
  tx: Db,
  actor: Actor,
  { version_id, file_id }: { version_id: string; file_id: string },
): Promise<FileLocation> {
  const { project_id, access, held } = await lockVersion(tx, version_id, actor, 'not_found');
  const files = await tx<Array<{ id: string; filename: string; is_primary: boolean }>>`
    select id, filename, is_primary from files where version_id = ${version_id}
    order by file_type is not null, filename collate "C"`;
  assertAllowed(whyNotRemoveFile(access, files.length) ?? whyNotChangeHeld(held, access), {
    permission: 'DELETE_VERSION',
  });
  const file = files.find(({ id }) => id === file_id);
  if (!file) throw new Refused('not_found');
  await tx`delete from files where id = ${file_id}`;
  const next = files.find(({ id }) => id !== file_id)!;
  if (file.is_primary) await tx`update files set is_primary = true where id = ${next.id}`;
  await recordEvent(tx, {
    name: 'version.edited',
    actor_id: actor.user_id,
    project_id,
    version_id,
    data: { fields: ['files'] },
  });
  return { project_id, version_id, filename: file.filename };
}
