import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { isLoader } from '../tags/rules.ts';
import { deletedVersion, goneRefusal } from './deleted.ts';
import { rowsByIds } from './pages.ts';
import { visibleProject } from './read.ts';
import type { VersionRow } from './row.ts';
import { listedStatuses } from './rules.ts';

/** A version as one of a Maven repository. */
export interface MavenVersion {
  id: string;
  version_number: string;
  version_type: string;
  loaders: string[];
  mrpack_loaders: string[];
  game_versions: string[];
}

/** The listed and archived versions of a project; with `numbers`, those of these numbers or ids only. */
async function mavenVersions(
  db: Db,
  project_id: string,
  numbers?: readonly string[],
): Promise<MavenVersion[]> {
  return await db<MavenVersion[]>`
    select v.id, v.version_number, v.version_type, v.loaders, v.mrpack_loaders, v.game_versions from versions v
    where v.project_id = ${project_id} and v.status = any(${listedStatuses as string[]})
      ${numbers ? db`and (v.version_number = any(${[...numbers]}::text[]) or v.id = any(${[...numbers]}::text[]))` : db``}
    order by v.ordering nulls last, v.date_published, v.id`;
}

/** What maven-metadata.xml states about a project. */
export interface MavenMetadata {
  project_id: string;
  updated: string;
  /** Explicitly ordered ones first, then oldest first. */
  versions: string[];
  release: string;
  latest: string;
}

/**
 * The names of a project's versions: a repeated number is replaced by the version's id. Refuses `not_found` for
 * projects that the actor may not see. Source: api-v2 §12.
 */
export async function mavenMetadata(db: Db, idOrSlug: string, actor: Actor | null): Promise<MavenMetadata> {
  const project_id = await visibleProject(db, idOrSlug, actor);
  const [project] = await db<
    Array<{ updated: string }>
  >`select updated from projects where id = ${project_id}`;
  const known = new Set<string>();
  let release = '';
  for (const { id, version_number, version_type } of await mavenVersions(db, project_id)) {
    const name = known.has(version_number) ? id : version_number;
    known.add(name);
    if (version_type === 'release') release = name;
  }
  const versions = [...known];
  const updated = project?.updated ?? new Date(0).toISOString();
  return { project_id, updated, versions, release, latest: versions.at(-1) ?? 'release' };
}

/**
 * The version that `name` means: the only one with this number or id, else `number-filter` with loaders or game versions
 * separated by commas, else the first with this number. Source: api-v2 §12.
 */
export function pickVersion<V extends MavenVersion>(versions: readonly V[], name: string): V | null {
  const exact = versions.filter(({ id, version_number }) => id === name || version_number === name);
  if (exact.length === 1) return exact[0]!;
  const [number, filter] = splitFilter(name);
  const wanted = filter.split(',');
  const loaders = wanted.filter(isLoader);
  const games = wanted.filter((one) => !isLoader(one));
  const matching = versions.find(
    (version) =>
      filter !== '' &&
      version.version_number === number &&
      (loaders.length === 0 ||
        loaders.some((one) => version.loaders.includes(one) || version.mrpack_loaders.includes(one))) &&
      (games.length === 0 || games.some((one) => version.game_versions.includes(one))),
  );
  return matching ?? exact[0] ?? null;
}

const splitFilter = (name: string): [number: string, filter: string] => {
  const dash = name.lastIndexOf('-');
  return dash < 0 ? [name, ''] : [name.slice(0, dash), name.slice(dash + 1)];
};

type File = VersionRow['files'][number];
const hasExtension = (filename: string, extension: string) =>
  filename.toLowerCase().endsWith(`.${extension.toLowerCase()}`);

/**
 * The file that `name` means: the one of this name whatever its case; `{base}.ext`, the primary file if it has this
 * extension, else the last one with it; or `{base}-{classifier}.ext`, the file of the type `{classifier}-{ext}`.
 * `base` is `{project}-{version}` as given, `files` has the primary one first. Source: api-v2 §12.
 */
export function pickFile(files: readonly File[], name: string, base: string): File | null {
  const same = files.find(({ filename }) => filename.toLowerCase() === name.toLowerCase());
  if (same || !name.startsWith(base)) return same ?? null;
  const [, classifier = '', extension = ''] = /^(?:-(\w+))?\.(\w+)$/.exec(name.slice(base.length)) ?? [];
  if (extension === '') return null;
  if (classifier !== '')
    return files.find(({ file_type }) => file_type === `${classifier}-${extension}`) ?? null;
  const fitting = files.filter(({ filename }) => hasExtension(filename, extension));
  return fitting.find(({ primary }) => primary) ?? fitting.at(-1) ?? null;
}

/** The number that a name with a filter means, when the filter is one of loaders or game versions. */
const filteredNumber = (name: string): string[] => {
  const [number, filter] = splitFilter(name);
  return filter !== '' && filter.split(',').every((one) => isLoader(one) || /^\d/.test(one)) ? [number] : [];
};

/**
 * A version of a project by its name in a Maven repository, null when there is none. Refuses like `mavenMetadata`, and
 * `version_deleted` or `version_removed` for one that is gone.
 */
export async function mavenVersion(
  db: Db,
  idOrSlug: string,
  name: string,
  actor: Actor | null,
): Promise<VersionRow | null> {
  const project_id = await visibleProject(db, idOrSlug, actor);
  if (name.includes('\0') || !name.isWellFormed()) return null; // Postgres rejects it
  const found = pickVersion(await mavenVersions(db, project_id, [name, splitFilter(name)[0]]), name);
  const row = found && (await rowsByIds(db, [found], { changelog: false })).get(found.id);
  if (row) return row;
  const gone = await deletedVersion(db, project_id, [name, ...filteredNumber(name)]);
  if (gone) throw goneRefusal(gone);
  return null;
}
