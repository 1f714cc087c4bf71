import { type GameRelease, gameReleases } from '../game-releases/rules.ts';
import type { VersionRange } from './game-version-ranges.ts';
import { emptyManifest, type KnownGameVersion, type Manifest } from './manifest.ts';
import { type Fields, fieldsOf, isFields, type ManifestReader } from './manifest-text.ts';
import { gameVersionsOf } from './manifest-values.ts';

const entry = 'pack.mcmeta';

/**
 * `pack.mcmeta` of a resource pack (`assets/`) or data pack (`data/`), and shaders, which are a folder without a manifest.
 * Packs have neither name nor number. Mods contain such files too: call it for archives without another manifest.
 */
export async function packManifests(
  reader: ManifestReader,
  known: readonly KnownGameVersion[],
): Promise<Manifest[]> {
  const names = reader.names();
  if (!reader.has(entry))
    return names.some((name) => name.startsWith('shaders/')) ? [emptyManifest(['iris', 'optifine'])] : [];
  const file = await reader.fields(entry, 'lenient_json');
  const formats = formatsOf(fieldsOf(file, 'pack'));
  if (file && !formats) reader.add('wrong_type', entry, 'pack_format');
  const of = (loader: string, kind: PackKind): Manifest => ({
    ...emptyManifest([loader]),
    game_versions: formats ? releasesOf(reader, formats, kind, known) : [],
  });
  const roots = ['', ...overlaysOf(reader, file)];
  const has = (folder: string) => roots.some((root) => names.some((name) => name.startsWith(root + folder)));
  const data = has('data/');
  const shader = names.some((name) => name.startsWith('assets/') && name.includes('/pipelines/'));
  return [
    ...(data ? [of('datapack', 'data_format')] : []),
    ...(has('assets/') || !data ? [of(shader ? 'canvas' : 'minecraft', 'resource_format')] : []),
  ];
}

/** The folders that `overlays` lays over the top level, with a slash at the end. */
const overlaysOf = (reader: ManifestReader, file: Fields | null): string[] =>
  reader
    .list(fieldsOf(file, 'overlays').entries, entry, 'overlays', 256)
    .map((one) => fieldsOf(one).directory)
    .filter((folder) => typeof folder === 'string' && folder !== '')
    .map((folder) => `${folder}/`);

type Formats = [min: number, max: number];

/** Formats, in all three ways to write them: `min_format` and `max_format`, `supported_formats`, `pack_format`. */
function formatsOf(pack: Fields): Formats | null {
  const number = (value: unknown): number | null => {
    const main = Array.isArray(value) ? value[0] : value; // [major, minor]
    return typeof main === 'number' && Number.isInteger(main) && main > 0 ? main : null;
  };
  const between = (low: unknown, high: unknown): Formats | null => {
    const [min, max] = [number(low), number(high)];
    return min && max && min <= max ? [min, max] : null;
  };
  const { min_format, max_format, supported_formats: supported, pack_format } = pack;
  if (min_format !== undefined || max_format !== undefined)
    return between(min_format ?? max_format, max_format ?? min_format);
  if (isFields(supported)) return between(supported.min_inclusive, supported.max_inclusive);
  if (Array.isArray(supported)) return between(supported[0], supported[1] ?? supported[0]);
  return between(supported ?? pack_format, supported ?? pack_format);
}

type PackKind = 'resource_format' | 'data_format';

/** The releases of these formats; a problem when there are none, or when the pack names newer formats than the table. */
function releasesOf(
  reader: ManifestReader,
  formats: Formats,
  kind: PackKind,
  known: readonly KnownGameVersion[],
): string[] {
  const table = gameReleases.filter((release) => release[kind]);
  const found = gameVersionsOf(reader, entry, [rangeOf(formats, kind, table)], known);
  if (found.length > 0 && formats[1] > table[0]![kind]!)
    reader.add('game_versions_later', entry, 'minecraft');
  return found;
}

/**
 * The releases of these formats; a bound that no version meets when there are none. Above the newest format of the table
 * there is no bound: what the table does not know yet is later.
 */
function rangeOf([min, max]: Formats, kind: PackKind, table: readonly GameRelease[]): VersionRange {
  const newest = table[0]!;
  if (min > newest[kind]!) return [[{ operator: '>', version: newest.version }]];
  const found = table.filter((release) => release[kind]! >= min && release[kind]! <= max);
  const alternatives: VersionRange = [...new Set(found.map((release) => release[kind]))].map((format) => {
    const same = found.filter((release) => release[kind] === format);
    return [
      { operator: '>=', version: same.at(-1)!.version },
      { operator: '<=', version: same[0]!.version },
    ];
  });
  if (max > newest[kind]!) alternatives.push([{ operator: '>', version: newest.version }]);
  return alternatives.length > 0 ? alternatives : [[{ operator: '=', version: `format ${min}` }]];
}

/** Whether a pack lies in a folder of the archive, whatever lies beside that folder: a frequent mistake. */
export const folderWithPack = (names: readonly string[]): boolean =>
  names.some(
    (name) =>
      !name.startsWith('__MACOSX/') &&
      (/^([^/]+\/){1,3}pack\.mcmeta$/.test(name) || /^[^/]+\/shaders\//.test(name)),
  );
