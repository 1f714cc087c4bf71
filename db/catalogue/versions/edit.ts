import { claimImages, keepImagesOf } from '../../messages/images/claim.ts';
import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { RevisedText } from '../../platform/text/revision.ts';
import type { Access } from '../teams/rules.ts';
import { accessToVersion } from './access.ts';
import * as dependencies from './dependencies.ts';
import { whyNotHaveFields } from './loader-fields.ts';
import { checkedLoaders, knownGamesOf } from './prepare.ts';
import { recomputeAggregates } from './recompute-aggregates.ts';
import { whyNotDependencies, whyNotEditVersion, whyNotRecountDownloads } from './rules.ts';
import { refuseOtherBytes } from './same-bytes.ts';
import type { EditData } from './shape.ts';
import { lockProject } from './write.ts';

interface LockedVersion {
  id: string;
  project_id: string;
  loaders: string[];
  downloads: number;
  status: string;
  version_number: string;
  version_type: string;
  /** Since when technical review keeps it from the public. */
  held: string | null;
  access: Access;
}

/**
 * The version and the actor's access to its project, both locked until the commit. Refuses with `missing` (404, or 400
 * where the API says so) when there is no such version, or it is hidden from the actor.
 */
export async function lockVersion(
  tx: Db,
  version_id: string,
  actor: Actor,
  missing: 'not_found' | 'version_unknown',
): Promise<LockedVersion> {
  const [locate] = await tx<
    Array<{ project_id: string }>
  >`select project_id from versions where id = ${version_id}`;
  // the id of a hidden version is told to nobody who found it by the hash of a file
  const absent = new Refused(missing, missing === 'not_found' ? {} : { id: version_id });
  if (!locate) throw absent;
  await lockProject(tx, locate.project_id);
  const [row] = await tx<Array<Omit<LockedVersion, 'access'>>>`
    select id, project_id, loaders, downloads, status, version_number, version_type, held
    from versions where id = ${version_id} for update`;
  const found = row && (await accessToVersion(tx, version_id, actor));
  if (!found) throw absent;
  return { ...row, access: found.access };
}

/**
 * Checks before a changelog is rendered whether the actor may edit the version; `edit` checks again under its lock.
 * Refuses `not_found` (hidden ones too), `not_a_member`, `permission_missing`.
 */
export async function mayEdit(db: Db, version_id: string, actor: Actor): Promise<void> {
  const version = await accessToVersion(db, version_id, actor);
  if (!version) throw new Refused('not_found');
  assertAllowed(whyNotEditVersion(version.access), { permission: 'UPLOAD_VERSION' });
}

/**
 * Changes the fields in `change`. `changelog` is rendered beforehand; it is skipped when a later one was saved
 * meanwhile. Refuses `not_found`, `not_a_member`, `permission_missing`, `moderators_only` (downloads),
 * `loader_unknown`, `loader_field_unknown`, `game_version_unknown`, `dependency_*`, `file_unknown`,
 * `image_unknown`, `image_used`, `version_number_used`. Source: api-v2 §5.3; api-v3 §3.4; api-behaviours §5 (new version).
 */
export async function editVersion(
  tx: Db,
  actor: Actor,
  version_id: string,
  change: EditData,
  changelog: RevisedText | null,
): Promise<void> {
  const version = await lockVersion(tx, version_id, actor, 'not_found');
  assertAllowed(whyNotEditVersion(version.access), { permission: 'UPLOAD_VERSION' });
  if (change.downloads != null) assertAllowed(whyNotRecountDownloads(version.access));
  if (change.status != null && change.status !== version.status)
    assertAllowed(version.held === null ? null : 'version_held');
  if (change.version_number != null && change.version_number !== version.version_number)
    await refuseUsedNumber(tx, version, change.version_number);

  const columns = await versionColumns(tx, version, change, changelog);
  const embedding = { context: 'version' as const, id: version_id };
  if (typeof columns.changelog === 'string') await keepImagesOf(tx, actor, embedding, columns.changelog);
  await claimImages(tx, actor, change.uploaded_images, embedding);
  if (Object.keys(columns).length > 0) await tx`update versions set ${tx(columns)} where id = ${version_id}`;
  if (change.downloads != null) {
    await tx`
      update projects set downloads = greatest(0, downloads + ${change.downloads - version.downloads})
      where id = ${version.project_id}`;
  }
  if (change.dependencies) {
    assertAllowed(whyNotDependencies(change.dependencies));
    await dependencies.insertDependencies(
      tx,
      version_id,
      await dependencies.resolveDependencies(tx, change.dependencies, { retainFileNames: true }),
    );
  }
  await setFileTypes(tx, version_id, change.file_types ?? []);
  await recomputeAggregates(tx, version.project_id);
  await recordEvent(tx, {
    name: 'version.edited',
    actor_id: actor.user_id,
    project_id: version.project_id,
    version_id,
    data: { fields: changedFields(change) },
  });
  if (change.status === 'listed' && version.status === 'draft')
    await publishDraft(tx, actor, version, change);
}

async function refuseUsedNumber(
  tx: Db,
  { id, project_id }: LockedVersion,
  version_number: string,
): Promise<void> {
  const files = await tx<Array<{ filename: string; sha512: string; primary: boolean }>>`
    select filename, sha512, is_primary as primary from files where version_id = ${id}`;
  await refuseOtherBytes(tx, project_id, version_number, files);
}

/** Followers hear of a draft when it is listed, unless they did: it may have been listed before. */
async function publishDraft(
  tx: Db,
  actor: Actor,
  { id: version_id, project_id, version_number, version_type }: LockedVersion,
  change: EditData,
): Promise<void> {
  const [before] = await tx`
    select 1 from events where project_id = ${project_id} and version_id = ${version_id}
      and name = 'version.published' and data ->> 'status' = 'listed' limit 1`;
  if (before) return;
  const data = {
    status: 'listed',
    version_number: change.version_number ?? version_number,
    version_type: change.version_type ?? version_type,
  };
  await recordEvent(tx, { name: 'version.published', actor_id: actor.user_id, project_id, version_id, data });
}

/** Names of the changed fields, as the API calls them; null changes only the ordering. */
const changedFields = (change: EditData): string[] => [
  ...new Set(
    Object.entries(change)
      .filter(([field, value]) => value != null || (field === 'ordering' && value === null))
      .map(([field]) => (field === 'stored_loaders' ? 'loaders' : field)),
  ),
];

async function versionColumns(
  tx: Db,
  { id, loaders }: LockedVersion,
  change: EditData,
  changelog: RevisedText | null,
) {
  const { name, version_number, version_type, featured, downloads, status } = change;
  const columns: Record<string, unknown> = {
    name,
    version_number,
    version_type,
    featured,
    downloads,
    status,
  };
  if (changelog && !(await hasNewerChangelog(tx, id, changelog.revision))) {
    columns.changelog = changelog.source;
    columns.changelog_html = changelog.html;
    columns.changelog_version = changelog.version;
    columns.changelog_revision = changelog.revision;
  }
  if (change.game_versions) {
    columns.game_versions = (await knownGamesOf(tx, change.game_versions)).map(({ version }) => version);
  }
  if (change.loaders) {
    const pack = loaders.includes('mrpack');
    columns[pack ? 'mrpack_loaders' : 'loaders'] = checkedLoaders(change.loaders, pack);
  }
  const given = [...Object.entries(columns), ...Object.entries(ownColumns(loaders, change))].filter(
    ([, value]) => value != null,
  );
  if (change.ordering !== undefined) given.push(['ordering', change.ordering]);
  return Object.fromEntries(given) as Record<string, never>;
}

/** Loaders and their fields as v3 names them. A version that ceases to be a modpack has no pack loaders. */
function ownColumns(
  loaders: readonly string[],
  { stored_loaders, mrpack_loaders, environment }: EditData,
): Record<string, unknown> {
  const pack = (stored_loaders ?? loaders).includes('mrpack');
  const chosen = stored_loaders ? (pack ? ['mrpack'] : checkedLoaders(stored_loaders, false)) : null;
  if (pack && stored_loaders?.some((name) => name !== 'mrpack'))
    throw new Refused('loader_unknown', { loader: stored_loaders.join(', ') });
  for (const [field, value] of Object.entries({ environment, mrpack_loaders })) {
    const why = value == null ? null : whyNotHaveFields(chosen ?? loaders, [field]);
    assertAllowed(why, { field, loaders: (chosen ?? loaders).join(', ') });
  }
  const packed = mrpack_loaders ? checkedLoaders(mrpack_loaders, true) : null;
  return { environment, loaders: chosen, mrpack_loaders: packed ?? (chosen && !pack ? [] : null) };
}

async function hasNewerChangelog(tx: Db, version_id: string, revision: number): Promise<boolean> {
  const [newer] = await tx`
    select 1 from versions where id = ${version_id} and changelog_revision > ${revision}`;
  return newer !== undefined;
}

async function setFileTypes(
  tx: Db,
  version_id: string,
  types: NonNullable<EditData['file_types']>,
): Promise<void> {
  for (const { algorithm, hash, file_type } of types) {
    const [row] = await tx`
      update files set file_type = ${file_type} where version_id = ${version_id} and ${tx(algorithm)} = ${hash.toLowerCase()}
      returning id`;
    if (!row) throw new Refused('file_unknown', { hash });
  }
}
