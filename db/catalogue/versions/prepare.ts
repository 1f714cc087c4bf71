import { assertAllowed, Refused } from '../../platform/errors.ts';
import { choosePrimary, type Inspection, inspect } from '../../platform/files/archive.ts';
import { type Embedded, embeddedOf, type PackLoader, packLoaderOf } from '../../platform/files/mrpack.ts';
import type { FileType } from '../../platform/files/rules.ts';
import type { NewFile } from '../../platform/files/stored-files.ts';
import { newId } from '../../platform/id.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { ReadContext } from '../../platform/read-context.ts';
import type { StagedFile } from '../../platform/storage/storage.ts';
import type { Rendered, RequestRenderer } from '../../platform/text/rendered.ts';
import { type GameVersion, gameVersions } from '../tags/read.ts';
import { isLoader } from '../tags/rules.ts';
import { sortGameVersions } from './recompute-aggregates.ts';
import { isModpack, whyNotDependencies } from './rules.ts';
import type { CreateData, InitialData } from './shape.ts';

/** A received file. */
export interface UploadedFile {
  part: string;
  filename: string;
  content: StagedFile;
  size: number;
  sha1: string;
  sha512: string;
}

export interface PreparedFile extends UploadedFile {
  primary: boolean;
  file_type: FileType | null;
}

/** A version that has passed every check that needs no lock; input of `publish` and `publishInitial`. */
export interface Prepared {
  version_id: string;
  data: CreateData | InitialData;
  loaders: string[];
  mrpack_loaders: string[];
  game_versions: string[];
  changelog: Rendered;
  files: PreparedFile[];
  /** Embedded content of a modpack's primary file; null for other files. */
  embedded: Embedded[] | null;
  /** The loader that a modpack's primary file asks for; null for other files. */
  pack_loader: PackLoader | null;
}

/** Uploads that `withStoredFiles` stores before `publish` inserts the rows of prepared versions. */
export const newFiles = (project_id: string, ...versions: readonly Prepared[]): NewFile[] =>
  versions.flatMap(({ version_id, files }) =>
    files.map(({ filename, content }) => ({ project_id, version_id, filename, content })),
  );

export interface Preparing extends ReadContext {
  renderer: RequestRenderer;
}

/**
 * Does all slow work for a new version before its transaction: matches parts and files, opens archives, chooses the
 * primary file, renders the changelog. `modpack` forces pack loaders (POST /project). Refuses `part_missing`,
 * `part_undeclared`, `file_repeated`, `file_name_repeated`, `loader_unknown`, `game_version_unknown`,
 * `dependency_empty`, `dependency_repeated` and the refusals of the archive checks.
 * Source: api-v2 §5.1; api-v3 §9.
 */
export async function prepare(
  { sql, settings, renderer }: Preparing,
  data: CreateData | InitialData,
  uploaded: readonly UploadedFile[],
  { modpack = false } = {},
): Promise<Prepared> {
  const files = filesOf(data.file_parts, uploaded);
  if (new Set(files.map(({ filename }) => filename)).size < files.length)
    throw new Refused('file_name_repeated');
  assertAllowed(whyNotDependencies(data.dependencies));
  const named = files.map(({ filename }) => filename);
  const pack = data.pack ?? (modpack || isModpack(data.file_parts, named));
  const games = await knownGamesOf(sql, data.game_versions);
  const chosen = checkedLoaders(data.loaders, pack);
  const loaders = pack ? ['mrpack'] : chosen;

  const types = ('file_types' in data ? data.file_types : null) ?? {};
  const inspected: Array<{ part: string; inspection: Inspection }> = [];
  for (const file of files) {
    const file_type = typeOf(types, file.part);
    inspected.push({
      part: file.part,
      inspection: await inspect(file, { loaders, game_versions: games, file_type }, settings),
    });
  }
  const primary = choosePrimary(inspected, data.primary_file ?? undefined);
  const { mrpack, entries } = inspected[primary]!.inspection;
  return {
    version_id: newId(),
    data,
    loaders,
    mrpack_loaders: pack ? chosen : [],
    game_versions: games.map(({ version }) => version),
    changelog: await renderer.render(data.changelog ?? ''),
    files: files.map((file, index) => ({
      ...file,
      primary: index === primary,
      file_type: typeOf(types, file.part),
    })),
    embedded: mrpack && embeddedOf(mrpack, entries),
    pack_loader: mrpack && packLoaderOf(mrpack),
  };
}

/**
 * `prepare` for the initial versions of a new project: part names must differ between versions, and every uploaded
 * file must belong to one. Source: api-v2 §4.1.
 */
export async function prepareInitial(
  preparing: Preparing,
  versions: readonly InitialData[],
  uploaded: readonly UploadedFile[],
  options: { modpack: boolean },
): Promise<Prepared[]> {
  filesOf(
    versions.flatMap(({ file_parts }) => file_parts),
    uploaded,
  );
  const prepared: Prepared[] = [];
  for (const data of versions) {
    const parts = new Set(data.file_parts);
    prepared.push(
      await prepare(
        preparing,
        data,
        uploaded.filter(({ part }) => parts.has(part)),
        options,
      ),
    );
  }
  return prepared;
}

/** The part's type in `types`; guards against part names such as `constructor`. */
export const typeOf = (types: Record<string, FileType | null>, part: string): FileType | null =>
  Object.hasOwn(types, part) ? types[part]! : null;

/** The uploaded files in the order of the declared parts; each part is declared once, and each file is declared. */
function filesOf(file_parts: readonly string[], uploaded: readonly UploadedFile[]): UploadedFile[] {
  const arrived = new Map(uploaded.map((file) => [file.part, file]));
  const declared = new Set(file_parts);
  if (declared.size < file_parts.length) {
    const twice = file_parts.find((part, index) => file_parts.indexOf(part) !== index);
    throw new Refused('part_repeated', { part: twice });
  }
  for (const { part } of uploaded) if (!declared.has(part)) throw new Refused('part_undeclared', { part });
  const files = file_parts.map((part) => {
    const file = arrived.get(part);
    if (!file) throw new Refused('part_missing', { part });
    return file;
  });
  if (new Set(files.map(({ sha1 }) => sha1)).size < files.length) throw new Refused('file_repeated');
  return files;
}

/** The loaders without duplicates; a pack's own loaders replace `mrpack`. Refuses `loader_unknown`. */
export function checkedLoaders(names: readonly string[], pack: boolean): string[] {
  const chosen = [...new Set(names)].filter((name) => !(pack && name === 'mrpack'));
  const unknown = chosen.find((name) => !isLoader(name) || name === 'mrpack');
  if (unknown !== undefined) throw new Refused('loader_unknown', { loader: unknown });
  return chosen;
}

/** The named game versions, oldest first. Refuses `game_version_unknown`. */
export async function knownGamesOf(db: Db, names: readonly string[]): Promise<GameVersion[]> {
  const known = new Map((await gameVersions(db)).map((game) => [game.version, game]));
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined) throw new Refused('game_version_unknown', { game_version: unknown });
  return sortGameVersions(names, [...known.keys()].reverse()).map((name) => known.get(name)!);
}
