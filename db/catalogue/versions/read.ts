import { inOrderOfIds } from '../../platform/id.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { ReadContext } from '../../platform/read-context.ts';
import { collect } from '../../platform/runtime/pages.ts';
import { projectForAction } from '../projects/for-action.ts';
import { gameVersions } from '../tags/read.ts';
import { displayLoaders } from '../tags/rules.ts';
import { comesSecond } from './address.ts';
import { type FieldFilters, withFields } from './field-filters.ts';
import { refColumns, refsByIds, rowsInOrder, type VersionRef } from './pages.ts';
import { selectRows, type VersionRow, versionOf, visibleVersions } from './row.ts';
import { details_end, limits, listedStatuses, pickFeatured } from './rules.ts';
import type { Filters, Version } from './shape.ts';

const listed = listedStatuses as string[];

/** The version with this id; null when it does not exist or is hidden from the actor. Source: api-v2 §5. */
export async function rowById(db: Db, id: string, actor: Actor | null): Promise<VersionRow | null> {
  const [row] = await collect(await listRows(db, [id], actor));
  return row ?? null;
}

/**
 * The versions with these ids that the actor may see, in the order of the ids. Fetched page by page as they are consumed.
 * Source: api-v2 §5.
 */
export async function listRows(
  db: Db,
  ids: readonly string[],
  actor: Actor | null,
  { changelog = true } = {},
): Promise<AsyncGenerator<VersionRow>> {
  const refs = await refsByIds(db, ids, actor, { changelog });
  return rowsInOrder(db, inOrderOfIds(ids, refs), { changelog });
}

/** `listRows` as an array of v2 versions, for callers that limit the number of ids or omit changelogs. */
export async function versionsByIds(
  { sql, settings }: ReadContext,
  ids: readonly string[],
  actor: Actor | null,
  { changelog = true } = {},
): Promise<Version[]> {
  const rows = await collect(await listRows(sql, ids, actor, { changelog }));
  return rows.map((row) => versionOf(settings, row));
}

/** What narrows the list of a project's versions. */
export interface ListFilters extends Partial<Omit<Filters, 'loaders' | 'game_versions'>> {
  /** Any of these loaders, as stored. */
  stored_loaders?: readonly string[] | undefined;
  /** Any of these values of each field; versions that lack the field pass. Source: api-behaviours §5. */
  fields?: FieldFilters | undefined;
}

/**
 * The filters of v2 as v3 states them: loader filters also match modpacks, whose own loaders count only together with
 * game versions. Source: api-v2 §5.2.
 */
export function listFiltersOf({ loaders, game_versions, ...filters }: Partial<Filters>): ListFilters {
  return {
    ...filters,
    stored_loaders: loaders?.length ? [...loaders, 'mrpack'] : undefined,
    fields: {
      ...(loaders?.length && game_versions?.length ? { mrpack_loaders: loaders } : {}),
      ...(game_versions?.length ? { game_versions } : {}),
    },
  };
}

/**
 * The listed and archived versions of a project (id or slug), newest first: filtered, then cut by offset and limit,
 * then narrowed by `featured`. Fetched page by page as they are consumed. Refuses `not_found` for projects that the
 * actor may not see. Source: api-v2 §5.2; api-v3 §3.4.
 */
export async function rowsOfProject(
  db: Db,
  idOrSlug: string,
  filters: ListFilters,
  actor: Actor | null,
): Promise<AsyncGenerator<VersionRow>> {
  const project_id = await visibleProject(db, idOrSlug, actor);
  const { featured, version_type = null, limit, offset = 0, include_changelog: changelog = true } = filters;
  const loaders = filters.stored_loaders?.length ? filters.stored_loaders : null;
  const refs = await db<Array<VersionRef & Pick<VersionRow, FeaturedColumns>>>`
    select ${refColumns(db, { changelog })}
      ${featured === undefined ? db`` : db`, v.featured, v.loaders, v.mrpack_loaders, v.game_versions`}
    from versions v join projects p on p.id = v.project_id
    where v.project_id = ${project_id} and v.status = any(${listed})
      ${loaders ? db`and v.loaders && ${loaders}::text[]` : db``}
      ${withFields(db, filters.fields)}
      ${version_type ? db`and v.version_type = ${version_type}` : db``}
    order by v.date_published desc, v.id desc
    limit ${Math.min(limit ?? limits.per_project, limits.per_project)} offset ${offset}`;
  if (featured === undefined) return rowsInOrder(db, refs, { changelog });
  const majors = (await gameVersions(db)).filter(({ major }) => major).map(({ version }) => version);
  const candidates = refs.map((ref) => ({ ...ref, loaders: displayLoaders(ref) }));
  return rowsInOrder(db, pickFeatured(candidates, featured, majors), { changelog });
}

type FeaturedColumns = 'featured' | 'loaders' | 'mrpack_loaders' | 'game_versions';

/** `rowsOfProject` as an array of v2 versions, for callers that omit changelogs. */
export async function versionsOfProject(
  { sql, settings }: ReadContext,
  idOrSlug: string,
  filters: Partial<Filters> & { include_changelog: false },
  actor: Actor | null,
): Promise<Version[]> {
  const rows = await collect(await rowsOfProject(sql, idOrSlug, listFiltersOf(filters), actor));
  return rows.map((row) => versionOf(settings, row));
}

/**
 * The listed or archived version of a project (id or slug) with this id, else the oldest one with this number; null
 * when there is none. Refuses `not_found` for projects that the actor may not see. Source: api-v2 §5; api-behaviours
 * §5.
 */
export async function rowByNumber(
  db: Db,
  idOrSlug: string,
  idOrNumber: string,
  actor: Actor | null,
): Promise<VersionRow | null> {
  const project_id = await visibleProject(db, idOrSlug, actor);
  if (idOrNumber.includes('\0')) return null; // no version has it, and Postgres rejects it
  const [row] = await db<VersionRow[]>`
    ${selectRows(db)}
    where v.project_id = ${project_id} and v.status = any(${listed})
      and (v.id = ${idOrNumber} or v.version_number = ${idOrNumber})
    order by v.id = ${idOrNumber} desc, v.date_published, v.id
    limit 1`;
  return row ?? null;
}

/** A version of a project as its page shows it. */
export interface PageVersion {
  version: Version;
  /** Whether its address ends in its id: another version comes first by its number, or it is not listed. */
  by_id: boolean;
  /** Whether the address of its details does: another version has the number with their ending. */
  details_by_id: boolean;
}

/**
 * The version of a visible project that `rowByNumber` gives, else the one with this id that the project does not list, if
 * the actor may see it: unlisted ones for everybody, others for members. One query; null when there is none.
 */
export async function pageVersion(
  { sql: db, settings }: ReadContext,
  project_id: string,
  idOrNumber: string,
  actor: Actor | null,
): Promise<PageVersion | null> {
  if (idOrNumber.includes('\0')) return null; // no version has it, and Postgres rejects it
  const rows = await db<Array<VersionRow & Omit<PageVersion, 'version'>>>`
    select one.*, one.status <> all(${listed}) or ${comesSecond(db, db`one`)} as by_id,
      exists (select from versions o where o.project_id = one.project_id and o.status = any(${listed})
        and o.version_number = one.version_number || ${details_end}) as details_by_id
    from (${selectRows(db)}
      where v.project_id = ${project_id}
        and (v.id = ${idOrNumber} or v.version_number = ${idOrNumber} and v.status = any(${listed}))
      order by v.status = any(${listed}) desc, v.id = ${idOrNumber} desc, v.date_published, v.id
      limit 1) one`;
  const [row] = await visibleVersions(db, rows, actor);
  if (!row) return null;
  const { by_id, details_by_id } = row;
  return { version: versionOf(settings, row), by_id, details_by_id: by_id || details_by_id };
}

/**
 * What a version is compared with: the newest listed one before it for one of its loaders, of its channel if there is
 * one. Null for the first of its kind.
 */
export async function previousVersion(
  { sql: db, settings }: ReadContext,
  { id, project_id, version_type }: Version,
): Promise<Version | null> {
  const [row] = await db<VersionRow[]>`
    ${selectRows(db, { changelog: false })} join versions own on own.id = ${id}
    where v.project_id = ${project_id} and v.status = any(${listed}) and v.id <> own.id
      and (v.date_published, v.id) < (own.date_published, own.id)
      and v.loaders && own.loaders and (cardinality(own.mrpack_loaders) = 0 or v.mrpack_loaders && own.mrpack_loaders)
    order by v.version_type = ${version_type} desc, v.date_published desc, v.id desc
    limit 1`;
  return row ? versionOf(settings, row) : null;
}

/** A version as its project's members manage it. */
export interface ManagedVersion
  extends Pick<VersionRow, 'id' | 'name' | 'version_number' | 'version_type' | 'status' | 'date_published'> {
  /** When it is released, while it is scheduled. */
  scheduled_for: string | null;
}

/** All versions of a project, newest first, whatever their status: for members, or one of them. */
export async function managedVersions(
  db: Db,
  project_id: string,
  version_id: string | null = null,
): Promise<ManagedVersion[]> {
  return await db<ManagedVersion[]>`
    select id, name, version_number, version_type, status, date_published, scheduled_for from versions
    where project_id = ${project_id} and (${version_id}::text is null or id = ${version_id})
    order by date_published desc, id`;
}

/** The numbers of all versions of a project, whatever their status; one that several have stands there several times. */
export async function versionNumbers(db: Db, project_id: string): Promise<string[]> {
  const rows = await db<Array<{ version_number: string }>>`
    select version_number from versions where project_id = ${project_id}`;
  return rows.map(({ version_number }) => version_number);
}

/** The id of a project (id or slug). Refuses `not_found` when the actor may not see it. */
export async function visibleProject(db: Db, idOrSlug: string, actor: Actor | null): Promise<string> {
  return (await projectForAction(db, idOrSlug, actor)).id;
}
