import { Refused } from '../errors.ts';
import type { Actor } from '../people/rules.ts';
import { existing } from '../projects/read.ts';
import { whyNot as ofProjects } from '../projects/rules.ts';
import type { Db } from '../sql.ts';
import { gameVersions } from '../tags/read.ts';
import { standing } from '../teams/standing.ts';
import { selectRows, type VersionRow, versionOf, visible } from './row.ts';
import { listedStatuses, pickFeatured, shownLoaders } from './rules.ts';
import type { Filters, Version } from './shape.ts';

export { byHash, byHashes } from './hashes.ts';

const listed = listedStatuses as string[];

/** Most versions one list holds. */
const mostListed = 10_000;

/** The version with this id; null when it does not exist or is hidden from the actor. Source: api-v2 §5. */
export async function byId(db: Db, id: string, actor: Actor | null): Promise<Version | null> {
  const [version] = await many(db, [id], actor);
  return version ?? null;
}

/**
 * The versions with these ids that the actor may see: explicitly ordered ones first and ascending, the others by date
 * ascending. Two round trips at most. Source: api-v2 §5; api-behaviours §5.
 */
export async function many(
  db: Db,
  ids: readonly string[],
  actor: Actor | null,
  { changelog = true } = {},
): Promise<Version[]> {
  if (ids.length === 0) return [];
  const rows = await db<VersionRow[]>`
    ${selectRows(db, { changelog })} where v.id = any(${ids as string[]}::text[])
    order by v.ordering nulls last, v.date_published, v.id`;
  return (await visible(db, rows, actor)).map(versionOf);
}

/**
 * The listed and archived versions of a project (id or slug), newest first: filtered, then cut by offset and limit, then
 * narrowed by `featured`. Loader filters let modpacks through, whose own loaders count only together with game
 * versions. Refuses `not_found` for projects the actor may not see. Source: api-v2 §5.2.
 */
export async function ofProject(
  db: Db,
  idOrSlug: string,
  filters: Partial<Filters>,
  actor: Actor | null,
): Promise<Version[]> {
  const project_id = await visibleProject(db, idOrSlug, actor);
  const { featured, version_type = null, limit, offset = 0, include_changelog = true } = filters;
  const loaders = filters.loaders?.length ? filters.loaders : null;
  const games = filters.game_versions?.length ? filters.game_versions : null;
  const rows = await db<VersionRow[]>`
    ${selectRows(db, { changelog: include_changelog })}
    where v.project_id = ${project_id} and v.status = any(${listed})
      ${loaders ? db`and v.loaders && ${[...loaders, 'mrpack']}::text[]` : db``}
      ${loaders && games ? db`and (v.mrpack_loaders = '{}' or v.mrpack_loaders && ${loaders}::text[])` : db``}
      ${games ? db`and v.game_versions && ${games}::text[]` : db``}
      ${version_type ? db`and v.version_type = ${version_type}` : db``}
    order by v.date_published desc, v.id desc
    limit ${Math.min(limit ?? mostListed, mostListed)} offset ${offset}`;
  if (featured === undefined) return rows.map(versionOf);
  const majors = (await gameVersions(db)).filter(({ major }) => major).map(({ version }) => version);
  const shown = rows.map((row) => ({ row, ...row, loaders: shownLoaders(row) }));
  return pickFeatured(shown, featured, majors).map(({ row }) => versionOf(row));
}

/**
 * The listed or archived version of a project (id or slug) with this id, else the oldest one with this number; null
 * when there is none. Refuses `not_found` for projects the actor may not see. Source: api-v2 §5; api-behaviours §5.
 */
export async function byNumber(
  db: Db,
  idOrSlug: string,
  idOrNumber: string,
  actor: Actor | null,
): Promise<Version | null> {
  const project_id = await visibleProject(db, idOrSlug, actor);
  if (idOrNumber.includes('\0')) return null; // no version has it, and Postgres cannot take it
  const [row] = await db<VersionRow[]>`
    ${selectRows(db)}
    where v.project_id = ${project_id} and v.status = any(${listed})
      and (v.id = ${idOrNumber} or v.version_number = ${idOrNumber})
    order by v.id = ${idOrNumber} desc, v.date_published, v.id
    limit 1`;
  return row ? versionOf(row) : null;
}

async function visibleProject(db: Db, idOrSlug: string, actor: Actor | null): Promise<string> {
  const project = await existing(db, idOrSlug);
  if (!project || ofProjects.see(project.status, await standing(db, project.id, actor)))
    throw new Refused('not_found');
  return project.id;
}
