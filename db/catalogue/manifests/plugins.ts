import { predicateRange } from './game-version-ranges.ts';
import { emptyManifest, type FoundDependency, type KnownGameVersion, type Manifest } from './manifest.ts';
import { fieldsOf, isFields, type ManifestReader, type Syntax } from './manifest-text.ts';
import { addDependency, gameVersionsOf, nameOf, versionNumberOf } from './manifest-values.ts';

interface PluginKind {
  syntax: Syntax;
  loaders: string[];
  /** Fields with lists of ids. */
  required: string[];
  optional: string[];
}

/** Servers that load a plugin of this manifest, without claims about what its author tried. */
const kinds: Record<string, PluginKind> = {
  'paper-plugin.yml': { syntax: 'yaml', loaders: ['paper', 'purpur'], required: [], optional: [] },
  'plugin.yml': {
    syntax: 'yaml',
    loaders: ['bukkit', 'spigot', 'paper', 'purpur'],
    required: ['depend'],
    optional: ['softdepend'],
  },
  'bungee.yml': {
    syntax: 'yaml',
    loaders: ['bungeecord', 'waterfall'],
    required: ['depends'],
    optional: ['softDepends'],
  },
  'velocity-plugin.json': { syntax: 'lenient_json', loaders: ['velocity'], required: [], optional: [] },
};

/** The manifests of plugins: of game servers and of proxies. */
export async function pluginManifests(
  reader: ManifestReader,
  known: readonly KnownGameVersion[],
): Promise<Manifest[]> {
  const found: Manifest[] = [];
  for (const [entry, kind] of Object.entries(kinds))
    if (reader.has(entry)) found.push(await plugin(reader, entry, kind, known));
  return found;
}

async function plugin(
  reader: ManifestReader,
  entry: string,
  { syntax, loaders, required, optional }: PluginKind,
  known: readonly KnownGameVersion[],
): Promise<Manifest> {
  const file = await reader.fields(entry, syntax);
  if (!file) return emptyManifest(loaders);
  const dependencies: FoundDependency[] = [];
  const add = (id: unknown, isRequired: boolean) => {
    if (typeof id !== 'string') return;
    const dependency_type = isRequired ? 'required' : 'optional';
    addDependency(reader, dependencies, { id, dependency_type }, entry);
  };
  for (const field of required) for (const id of reader.list(file[field], entry, field)) add(id, true);
  for (const field of optional) for (const id of reader.list(file[field], entry, field)) add(id, false);
  if (entry === 'velocity-plugin.json')
    for (const one of reader.list(file.dependencies, entry, 'dependencies')) {
      const { id, optional: may } = fieldsOf(one);
      add(id, may !== true);
    }
  if (entry === 'paper-plugin.yml')
    for (const [id, one] of Object.entries(fieldsOf(fieldsOf(file, 'dependencies'), 'server')).slice(0, 4096))
      add(id, !isFields(one) || one.required !== 'false');
  const folia = String(file['folia-supported']) === 'true' ? ['folia'] : [];
  return {
    name: nameOf(reader, file.name ?? file.id, entry),
    version_number: versionNumberOf(reader, file.version, entry),
    loaders: [...loaders, ...folia],
    game_versions: apiVersions(reader, file['api-version'], entry, known),
    dependencies,
    environment: null,
    license: null,
  };
}

/** `api-version: 1.20` is the oldest game whose interface the plugin uses; servers keep it working. */
function apiVersions(
  reader: ManifestReader,
  value: unknown,
  entry: string,
  known: readonly KnownGameVersion[],
): string[] {
  const version = reader.line(value, entry, 'api-version', 32);
  if (!version) return [];
  const range = predicateRange(`>=${version}`);
  if (!range) reader.add('wrong_type', entry, 'api-version');
  return gameVersionsOf(reader, entry, range && [range], known);
}
