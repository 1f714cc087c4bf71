import { Refused } from '../errors.ts';
import type { Actor } from '../people/rules.ts';
import { projectRef } from '../projects/read.ts';
import { whyNotSeeProject } from '../projects/rules.ts';
import type { ReadContext } from '../read-context.ts';
import { collect } from '../runtime/pages.ts';
import type { Db } from '../sql.ts';
import { gameVersions } from '../tags/read.ts';
import { displayLoaders } from '../tags/rules.ts';
import { accessTo } from '../teams/access.ts';
import { inOrder, refColumns, refsByIds, type VersionRef } from './pages.ts';
import { selectRows, type VersionRow, versionOf } from './row.ts';
import { limits, listedStatuses, pickFeatured } from './rules.ts';
import type { Filters, Version } from './shape.ts';

const listed = listedStatuses as string[];

/** The version with this id; null when it does not exist or is hidden from the actor. Source: api-v2 §5. */
export async function versionById(
  context: ReadContext,
  id: string,
  actor: Actor | null,
): Promise<Version | null> {
  const [version] = await versionsByIds(context, [id], actor);
  return version ?? null;
}

/**
 * The versions with these ids that the actor may see: explicitly ordered ones first, ascending, then the others by
 * date, ascending. Fetched page by page as they are consumed. Source: api-v2 §5; api-behaviours §5.
 */
export async function listMany(
  context: ReadContext,
  ids: readonly string[],
  actor: Actor | null,
  { changelog = true } = {},
): Promise<AsyncGenerator<Version>> {
  return inOrder(context, await refsByIds(context.sql, ids, actor, { changelog }), { changelog });
}

/** `listMany` as an array, for callers that limit the number of ids or omit changelogs. */
export async function versionsByIds(
  context: ReadContext,
  ids: readonly string[],
  actor: Actor | null,
  { changelog = true } = {},
): Promise<Version[]> {
  return await collect(await listMany(context, ids, actor, { changelog }));
}

/**
 * The listed and archived versions of a project (id or slug), newest first: filtered, then cut by offset and limit,
 * then narrowed by `featured`. Loader filters also match modpacks, whose own loaders count only together with game
 * versions. Fetched page by page as they are consumed. Refuses `not_found` for projects that the actor may not see.
 * Source: api-v2 §5.2.
 */
export async function listOfProject(
  context: ReadContext,
  idOrSlug: string,
  filters: Partial<Filters>,
  actor: Actor | null,
): Promise<AsyncGenerator<Version>> {
  const { sql: db } = context;
  const project_id = await visibleProject(db, idOrSlug, actor);
  const { featured, version_type = null, limit, offset = 0, include_changelog: changelog = true } = filters;
  const loaders = filters.loaders?.length ? filters.loaders : null;
  const games = filters.game_versions?.length ? filters.game_versions : null;
  const refs = await db<Array<VersionRef & Pick<VersionRow, FeaturedColumns>>>`
    select ${refColumns(db, { changelog })}
      ${featured === undefined ? db`` : db`, v.featured, v.loaders, v.mrpack_loaders, v.game_versions`}
    from versions v join projects p on p.id = v.project_id
    where v.project_id = ${project_id} and v.status = any(${listed})
      ${loaders ? db`and v.loaders && ${[...loaders, 'mrpack']}::text[]` : db``}
      ${loaders && games ? db`and (v.mrpack_loaders = '{}' or v.mrpack_loaders && ${loaders}::text[])` : db``}
      ${games ? db`and v.game_versions && ${games}::text[]` : db``}
      ${version_type ? db`and v.version_type = ${version_type}` : db``}
    order by v.date_published desc, v.id desc
    limit ${Math.min(limit ?? limits.per_project, limits.per_project)} offset ${offset}`;
  if (featured === undefined) return inOrder(context, refs, { changelog });
  const majors = (await gameVersions(db)).filter(({ major }) => major).map(({ version }) => version);
  const candidates = refs.map((ref) => ({ ...ref, loaders: displayLoaders(ref) }));
  return inOrder(context, pickFeatured(candidates, featured, majors), { changelog });
}

type FeaturedColumns = 'featured' | 'loaders' | 'mrpack_loaders' | 'game_versions';

/** `listOfProject` as an array, for callers that omit changelogs. */
export async function versionsOfProject(
  context: ReadContext,
  idOrSlug: string,
  filters: Partial<Filters> & { include_changelog: false },
  actor: Actor | null,
): Promise<Version[]> {
  return await collect(await listOfProject(context, idOrSlug, filters, actor));
}

/**
 * The listed or archived version of a project (id or slug) with this id, else the oldest one with this number; null
 * when there is none. Refuses `not_found` for projects that the actor may not see. Source: api-v2 §5; api-behaviours
 * §5.
 */
export async function versionByNumber(
  { sql: db, settings }: ReadContext,
  idOrSlug: string,
  idOrNumber: string,
  actor: Actor | null,
): Promise<Version | null> {
  const project_id = await visibleProject(db, idOrSlug, actor);
  if (idOrNumber.includes('\0')) return null; // no version has it, and Postgres rejects it
  const [row] = await db<VersionRow[]>`
    ${selectRows(db)}
    where v.project_id = ${project_id} and v.status = any(${listed})
      and (v.id = ${idOrNumber} or v.version_number = ${idOrNumber})
    order by v.id = ${idOrNumber} desc, v.date_published, v.id
    limit 1`;
  return row ? versionOf(settings, row) : null;
}

async function visibleProject(db: Db, idOrSlug: string, actor: Actor | null): Promise<string> {
  const project = await projectRef(db, idOrSlug);
  if (!project || whyNotSeeProject(project.status, await accessTo(db, project.id, actor)))
    throw new Refused('not_found');
  return project.id;
}
