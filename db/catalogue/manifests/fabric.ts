import { predicateRange, type VersionRange } from './game-version-ranges.ts';
import { emptyManifest, type FoundDependency, type KnownGameVersion, type Manifest } from './manifest.ts';
import { type Fields, fieldsOf, isFields, type ManifestReader } from './manifest-text.ts';
import {
  addDependency,
  embeddedName,
  gameVersionsOf,
  licenseOf,
  nameOf,
  versionNumberOf,
} from './manifest-values.ts';

const kinds = {
  depends: 'required',
  recommends: 'optional',
  suggests: 'optional',
  breaks: 'incompatible',
  conflicts: 'incompatible',
} as const;

/** `fabric.mod.json`: all schema versions. */
export async function fabricManifest(
  reader: ManifestReader,
  known: readonly KnownGameVersion[],
): Promise<Manifest | null> {
  const entry = 'fabric.mod.json';
  const value = await reader.parsed(entry, 'json');
  const mod = Array.isArray(value) ? value[0] : value; // the first schema allowed a list
  if (!isFields(mod)) {
    if (value !== null) reader.add('wrong_type', entry);
    return reader.has(entry) ? emptyManifest(['fabric']) : null;
  }
  const dependencies: FoundDependency[] = [];
  for (const [field, dependency_type] of Object.entries(kinds))
    for (const [id, versions] of Object.entries(fieldsOf(mod, field)).slice(0, 4096)) {
      // a mod that breaks with some versions of another works with the rest
      if (dependency_type === 'incompatible' && !isAny(versions)) continue;
      addDependency(reader, dependencies, { id, dependency_type }, entry);
    }
  for (const jar of reader.list(mod.jars, entry, 'jars'))
    addDependency(reader, dependencies, embeddedName(fieldsOf(jar).file), entry);
  return {
    name: nameOf(reader, mod.name ?? mod.id, entry),
    version_number: versionNumberOf(reader, mod.version, entry),
    loaders: ['fabric'],
    game_versions: gameVersionsOf(reader, entry, gamesOf(reader, fieldsOf(mod, 'depends'), entry), known),
    dependencies,
    environment: environmentOf(mod.environment),
    license: licenseOf(reader, mod.license, entry),
  };
}

/** `client` and `server` name one side; `*` says nothing about who needs it. */
function environmentOf(value: unknown): Manifest['environment'] {
  if (value === 'client') return 'client_only';
  return value === 'server' ? 'dedicated_server_only' : null;
}

const isAny = (versions: unknown): boolean =>
  versions === '*' || (Array.isArray(versions) && versions.length === 1 && versions[0] === '*');

function gamesOf(reader: ManifestReader, depends: Fields, entry: string): VersionRange[] | null {
  if (!Object.hasOwn(depends, 'minecraft')) return null;
  return predicates(reader, depends.minecraft, entry);
}

/** Alternatives of predicates. */
function predicates(reader: ManifestReader, versions: unknown, entry: string): VersionRange[] {
  return reader.list(versions, entry, 'minecraft', 64).flatMap((text) => {
    const range = typeof text === 'string' ? predicateRange(text) : null;
    if (!range) reader.add('wrong_type', entry, 'minecraft');
    return range ? [range] : [];
  });
}

/** `quilt.mod.json`. */
export async function quiltManifest(
  reader: ManifestReader,
  known: readonly KnownGameVersion[],
): Promise<Manifest | null> {
  const entry = 'quilt.mod.json';
  const file = await reader.fields(entry, 'json');
  if (!file) return reader.has(entry) ? emptyManifest(['quilt']) : null;
  const mod = fieldsOf(file, 'quilt_loader');
  const dependencies: FoundDependency[] = [];
  let games: VersionRange[] | null = null;
  for (const one of reader.list(mod.depends, entry, 'depends')) {
    const { id, optional, versions } = typeof one === 'string' ? ({ id: one } as Fields) : fieldsOf(one);
    if (id === 'minecraft') games = predicates(reader, anyOf(versions), entry);
    const dependency_type = optional === true ? 'optional' : 'required';
    if (typeof id === 'string')
      addDependency(reader, dependencies, { id: lastPart(id), dependency_type }, entry);
  }
  for (const one of reader.list(mod.breaks, entry, 'breaks')) {
    const { id, versions = '*' } = typeof one === 'string' ? ({ id: one } as Fields) : fieldsOf(one);
    if (typeof id === 'string' && isAny(versions))
      addDependency(reader, dependencies, { id: lastPart(id), dependency_type: 'incompatible' }, entry);
  }
  for (const jar of reader.list(mod.jars, entry, 'jars'))
    addDependency(reader, dependencies, embeddedName(jar), entry);
  return {
    name: nameOf(reader, fieldsOf(mod, 'metadata').name ?? mod.id, entry),
    version_number: versionNumberOf(reader, mod.version, entry),
    loaders: ['quilt'],
    game_versions: gameVersionsOf(reader, entry, games, known),
    dependencies,
    environment: environmentOf(fieldsOf(file, 'minecraft').environment),
    license: licenseOf(reader, fieldsOf(mod, 'metadata').license, entry),
  };
}

/** `group:id` -> id. */
const lastPart = (id: string): string => id.slice(id.lastIndexOf(':') + 1);

/** `{ any: [..] }` and `{ all: [..] }`, one level deep; all of them as one predicate. */
const anyOf = (versions: unknown): unknown => {
  if (!isFields(versions)) return versions;
  if (Array.isArray(versions.any)) return versions.any;
  const all = Array.isArray(versions.all) ? versions.all.slice(0, 64) : [];
  return all.every((one) => typeof one === 'string') ? all.join(' ') : versions;
};
