import { dataPackFormats, resourcePackFormats } from './data/pack-formats.ts';
import type { VersionRange } from './game-version-ranges.ts';
import { emptyManifest, type KnownGameVersion, type Manifest } from './manifest.ts';
import { fieldsOf, isFields, type ManifestReader } from './manifest-text.ts';
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
  const has = (folder: string) => reader.names().some((name) => name.startsWith(folder));
  if (!reader.has(entry)) return has('shaders/') ? [emptyManifest(['iris', 'optifine'])] : [];
  const pack = fieldsOf(await reader.fields(entry, 'json'), 'pack');
  const formats = formatsOf(pack);
  if (!formats) reader.add('wrong_type', entry, 'pack_format');
  const of = (loader: string, table: typeof resourcePackFormats): Manifest => ({
    ...emptyManifest([loader]),
    game_versions: formats ? gameVersionsOf(reader, entry, [rangeOf(formats, table)], known) : [],
  });
  const data = has('data/');
  return [
    ...(data ? [of('datapack', dataPackFormats)] : []),
    ...(has('assets/') || !data ? [of('minecraft', resourcePackFormats)] : []),
  ];
}

type Formats = [min: number, max: number];

/** Formats, in all three ways to write them: `min_format` and `max_format`, `supported_formats`, `pack_format`. */
function formatsOf(pack: Record<string, unknown>): Formats | null {
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

/** The releases of these formats; a bound that no version meets when there are none. */
function rangeOf([min, max]: Formats, table: typeof resourcePackFormats): VersionRange {
  const found = table.filter(([format]) => format >= min && format <= max);
  if (found.length === 0) return [[{ operator: '=', version: `format ${min}` }]];
  return found.map(([, first, last = first]) => [
    { operator: '>=', version: first },
    { operator: '<=', version: last },
  ]);
}

/** Whether all files lie in one folder that has the manifest, a frequent mistake. */
export const folderWithPack = (names: readonly string[]): boolean => {
  const [folder] = (names[0] ?? '').split('/', 1);
  return (
    Boolean(folder) &&
    names.every((name) => name.startsWith(`${folder}/`)) &&
    (names.includes(`${folder}/${entry}`) || names.some((name) => name.startsWith(`${folder}/shaders/`)))
  );
};
