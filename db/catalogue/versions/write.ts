import { claimImages } from '../../messages/images/claim.ts';
import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import { countUpload } from '../../platform/files/quota.ts';
import { newId } from '../../platform/id.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { projectForAction } from '../projects/for-action.ts';
import { enqueueScans } from '../scans/enqueue.ts';
import { haveEnvironment } from '../tags/rules.ts';
import * as dependencies from './dependencies.ts';
import { refuseDuplicates } from './duplicates.ts';
import { type LoaderField, loaderFieldsOf } from './loader-fields.ts';
import { checkedLoaders, knownGamesOf, type Prepared, type PreparedFile } from './prepare.ts';
import { recomputeAggregates } from './recompute-aggregates.ts';
import {
  limits,
  listedStatuses,
  type VersionStatus,
  whyNotAddVersion,
  whyNotPublishVersion,
} from './rules.ts';
import { refuseOtherBytes } from './same-bytes.ts';

/**
 * Checks before an upload is read whether the actor may publish in the project; `publish` checks again under its lock.
 * Refuses `project_unknown`, `not_a_member`, `permission_missing`.
 */
export async function assertMayPublish(db: Db, project_id: string, actor: Actor): Promise<void> {
  const { id, access } = await projectForAction(db, project_id, actor, 'project_unknown');
  if (id !== project_id) throw new Refused('project_unknown'); // a slug
  assertAllowed(whyNotPublishVersion(access), { permission: 'UPLOAD_VERSION' });
}

/**
 * Publishes a prepared version in its project, in the transaction of `withStoredFiles`; gives the version's id. Refuses
 * `upload_quota_reached`, `project_unknown`, `not_a_member`, `permission_missing`, `versions_full`,
 * `versions_too_many_today`, `version_number_used`, `file_duplicate`, `dependency_unknown`.
 * Source: api-v2 §5.1; api-behaviours §5, §6.
 */
export async function publishVersion(
  tx: Db,
  actor: Actor,
  project_id: string,
  prepared: Prepared,
  now: Date,
): Promise<string> {
  await countUpload(tx, actor.user_id, bytesOf(prepared.files), now);
  await lockProject(tx, project_id);
  await assertMayPublish(tx, project_id, actor);
  await assertUnderLimit(tx, project_id, now);
  await refuseOtherBytes(tx, project_id, prepared.data.version_number, prepared.files);
  await refuseDuplicates(tx, project_id, prepared.files);
  const status = ('status' in prepared.data && prepared.data.status) || 'listed';
  await insert(tx, actor, project_id, prepared, { status, date: now, now });
  await recomputeAggregates(tx, project_id);
  return prepared.version_id;
}

/**
 * Inserts the initial versions of a project that the caller inserted in this transaction: always listed, a millisecond
 * apart in the given order, so that the first is the oldest. Gives their ids. Refuses `file_duplicate`,
 * `dependency_unknown`. Source: api-v2 §4.1, §5.1.
 */
export async function publishInitial(
  tx: Db,
  actor: Actor,
  project_id: string,
  versions: readonly Prepared[],
  now: Date,
): Promise<string[]> {
  await refuseDuplicates(
    tx,
    project_id,
    versions.flatMap(({ files }) => files),
  );
  for (const [index, prepared] of versions.entries()) {
    const date = new Date(now.getTime() + index);
    await insert(tx, actor, project_id, prepared, { status: 'listed', date, now });
  }
  await recomputeAggregates(tx, project_id);
  return versions.map(({ version_id }) => version_id);
}

/** Refuses `versions_full` and `versions_too_many_today`; the caller holds the project's lock. */
async function assertUnderLimit(tx: Db, project_id: string, now: Date): Promise<void> {
  const since = new Date(now.getTime() - 24 * 3_600_000);
  const [count] = await tx<Array<{ total: number; today: number }>>`
    select count(*)::int as total, count(*) filter (where date_published > ${since})::int as today
    from versions where project_id = ${project_id}`;
  const why = whyNotAddVersion(count!);
  if (why) throw new Refused(why, { limit: why === 'versions_full' ? limits.per_project : limits.per_day });
}

/** Bytes of these files that count towards the account's daily quota. */
export const bytesOf = (files: ReadonlyArray<{ size: number }>): number =>
  files.reduce((sum, { size }) => sum + size, 0);

/** Locks the project's row, which serializes all changes of its versions. Refuses `project_unknown`. */
export async function lockProject(tx: Db, project_id: string): Promise<void> {
  const [row] = await tx`select 1 from projects where id = ${project_id} for no key update`;
  if (!row) throw new Refused('project_unknown', { id: project_id });
}

/** Values of loader fields for all versions of a project; absent ones stay. */
export interface GivenFields {
  environment?: string | undefined;
  game_versions?: readonly string[] | undefined;
  mrpack_loaders?: readonly string[] | undefined;
}

/**
 * Sets the fields of all versions of the project whose loaders have them, with the project's row locked by the caller
 * (PATCH of a project: the sides of v2, the loader fields of v3). Refuses `game_version_unknown`, `loader_unknown`.
 * Source: api-behaviours §7.1; api-v3 §2.3.
 */
export async function setLoaderFields(tx: Db, project_id: string, given: GivenFields): Promise<void> {
  const { environment, game_versions, mrpack_loaders } = given;
  const rows = await tx<Array<{ id: string; loaders: string[] }>>`
    select id, loaders from versions where project_id = ${project_id}`;
  const having = (field: LoaderField) =>
    rows.filter(({ loaders }) => loaderFieldsOf(loaders).includes(field)).map(({ id }) => id);
  if (environment !== undefined)
    await tx`update versions set environment = ${environment} where id = any(${having('environment')}::text[])`;
  if (game_versions !== undefined) {
    const known = (await knownGamesOf(tx, game_versions)).map(({ version }) => version);
    await tx`update versions set game_versions = ${known} where id = any(${having('game_versions')}::text[])`;
  }
  if (mrpack_loaders !== undefined) {
    const known = checkedLoaders(mrpack_loaders, true);
    await tx`update versions set mrpack_loaders = ${known} where id = any(${having('mrpack_loaders')}::text[])`;
  }
  await recomputeAggregates(tx, project_id);
}

async function insert(
  tx: Db,
  actor: Actor,
  project_id: string,
  prepared: Prepared,
  { status, date, now }: { status: VersionStatus; date: Date; now: Date },
): Promise<void> {
  const { version_id, data, changelog, loaders, mrpack_loaders, game_versions, embedded, pack_loader } =
    prepared;
  const { name, version_number, version_type, featured, ordering = null } = data;
  const row = {
    id: version_id,
    project_id,
    author_id: actor.user_id,
    featured,
    name,
    version_number,
    changelog: changelog.source,
    changelog_html: changelog.html,
    changelog_version: changelog.version,
    date_published: date,
    version_type,
    status,
    loaders,
    mrpack_loaders,
    game_versions,
    environment: await environmentFor(tx, project_id, prepared),
    ordering,
  };
  await tx`insert into versions ${tx(row)}`;
  if (pack_loader) await tx`insert into modpack_loaders ${tx({ version_id, ...pack_loader })}`;
  await insertFiles(tx, version_id, prepared.files, now);
  await claimImages(tx, actor, data.uploaded_images, { context: 'version', id: version_id });
  const requested =
    data.dependencies.length === 0 && embedded
      ? await dependencies.fromModpack(tx, embedded, actor)
      : await dependencies.resolveDependencies(tx, data.dependencies, { retainFileNames: false });
  await dependencies.insertDependencies(tx, version_id, requested);
  await recordEvent(tx, {
    name: 'version.published',
    actor_id: actor.user_id,
    project_id,
    version_id,
    data: { status, version_number, version_type },
  });
}

/** Inserts the rows of a version's stored files and has them scanned; the caller has checked names and hashes. */
export async function insertFiles(
  tx: Db,
  version_id: string,
  files: readonly PreparedFile[],
  now: Date,
): Promise<void> {
  const rows = files.map(({ filename, primary, size, sha1, sha512, file_type }) => ({
    id: newId(),
    version_id,
    filename,
    is_primary: primary,
    size,
    sha1,
    sha512,
    file_type,
  }));
  await tx`insert into files ${tx(rows)}`;
  await enqueueScans(
    tx,
    rows.map(({ id }) => id),
    now,
  );
}

/**
 * The given environment, else that of the oldest listed version, else unknown; null for loaders without environments.
 */
async function environmentFor(tx: Db, project_id: string, { data, loaders }: Prepared): Promise<string> {
  if (!haveEnvironment(loaders)) return 'unknown';
  if (data.environment) return data.environment;
  const [oldest] = await tx<Array<{ environment: string }>>`
    select environment from versions
    where project_id = ${project_id} and status = any(${listedStatuses as string[]})
    order by date_published, id limit 1`;
  return oldest?.environment ?? 'unknown';
}
