import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import { inspect } from '../../platform/files/archive.ts';
import { countUpload } from '../../platform/files/quota.ts';
import type { FileType } from '../../platform/files/rules.ts';
import type { NewFile } from '../../platform/files/stored-files.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { ReadContext } from '../../platform/read-context.ts';
import { accessToVersion } from './access.ts';
import { refuseDuplicates } from './duplicates.ts';
import { lockVersion } from './edit.ts';
import { knownGamesOf, type PreparedFile, typeOf, type UploadedFile } from './prepare.ts';
import { whyNotEditVersion } from './rules.ts';
import { refuseReplacedFiles } from './same-bytes.ts';
import { bytesOf, insertFiles } from './write.ts';

/**
 * Checks before an upload is read whether the actor may add files to the version; `addFiles` checks again under its
 * lock. Gives the id of its project. Refuses `version_unknown` (hidden ones too), `not_a_member`, `permission_missing`.
 */
export async function assertMayAddFiles(db: Db, version_id: string, actor: Actor): Promise<string> {
  const version = await accessToVersion(db, version_id, actor);
  if (!version) throw new Refused('version_unknown', { id: version_id });
  assertAllowed(whyNotEditVersion(version.access), { permission: 'UPLOAD_VERSION' });
  return version.project_id;
}

/**
 * Checks files to be added to version `version_id`, before the transaction, and gives them with the uploads for
 * `withStoredFiles`. Warnings are allowed, because added files never become primary. Refuses `version_unknown`, `no_files`,
 * `part_undeclared` (a type for a part that was not sent), `file_repeated`, `file_name_repeated` and the refusals of
 * the archive checks. Source: api-v2 §5; api-v3 §9.1.
 */
export async function prepareFiles(
  { sql, settings }: ReadContext,
  version_id: string,
  uploaded: readonly UploadedFile[],
  types: Record<string, FileType | null>,
): Promise<{ files: PreparedFile[]; stored: NewFile[] }> {
  if (uploaded.length === 0) throw new Refused('no_files');
  const missing = Object.keys(types).find((part) => !uploaded.some((file) => file.part === part));
  if (missing !== undefined) throw new Refused('part_missing', { part: missing });
  if (new Set(uploaded.map(({ sha1 }) => sha1)).size < uploaded.length) throw new Refused('file_repeated');
  if (new Set(uploaded.map(({ filename }) => filename)).size < uploaded.length)
    throw new Refused('file_name_repeated');
  const [version] = await sql<Array<{ project_id: string; loaders: string[]; game_versions: string[] }>>`
    select project_id, loaders, game_versions from versions where id = ${version_id}`;
  if (!version) throw new Refused('version_unknown', { id: version_id });
  const game_versions = await knownGamesOf(sql, version.game_versions);
  const prepared: PreparedFile[] = [];
  for (const file of uploaded) {
    const file_type = typeOf(types, file.part);
    const { loaders } = version;
    const { problem } = await inspect(file, { loaders, game_versions, file_type }, settings);
    if (problem) throw new Refused(problem.code, problem.data);
    prepared.push({ ...file, primary: false, file_type });
  }
  const { project_id } = version;
  return {
    files: prepared,
    stored: prepared.map(({ filename, content }) => ({ project_id, version_id, filename, content })),
  };
}

/**
 * Adds prepared files to a version, in the transaction of `withStoredFiles`. Refuses `upload_quota_reached`,
 * `version_unknown`, `not_a_member`, `permission_missing`, `file_duplicate`, `file_repeated`, `file_name_repeated`,
 * `file_name_used`. Source: api-v2 §5; api-behaviours §6.
 */
export async function addFiles(
  tx: Db,
  actor: Actor,
  version_id: string,
  files: readonly PreparedFile[],
  now: Date,
): Promise<void> {
  await countUpload(tx, actor.user_id, bytesOf(files), now);
  const version = await lockVersion(tx, version_id, actor, 'version_unknown');
  const { project_id, access } = version;
  assertAllowed(whyNotEditVersion(access), { permission: 'UPLOAD_VERSION' });
  await refuseDuplicates(tx, project_id, files);
  const there = await tx<Array<{ filename: string; sha1: string }>>`
    select filename, sha1 from files where version_id = ${version_id}`;
  const names = new Set(there.map(({ filename }) => filename));
  const hashes = new Set(there.map(({ sha1 }) => sha1));
  if (files.some(({ filename }) => names.has(filename))) throw new Refused('file_name_repeated');
  if (files.some(({ sha1 }) => hashes.has(sha1))) throw new Refused('file_repeated');
  await refuseReplacedFiles(tx, version, files);
  await insertFiles(tx, version_id, files, now);
  await recordEvent(tx, {
    name: 'version.edited',
    actor_id: actor.user_id,
    project_id,
    version_id,
    data: { fields: ['files'] },
  });
}
