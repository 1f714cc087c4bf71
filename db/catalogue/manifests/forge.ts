import { mavenRange, predicateRange, type VersionRange } from './game-version-ranges.ts';
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
import { spongeInterface } from './sponge.ts';

const jarManifest = 'META-INF/MANIFEST.MF';
const embedded = 'META-INF/jarjar/metadata.json';

/** `META-INF/neoforge.mods.toml`, and `META-INF/mods.toml`, which NeoForge read in its first versions, too. */
export async function forgeManifests(
  reader: ManifestReader,
  known: readonly KnownGameVersion[],
): Promise<Manifest[]> {
  const entries = { 'META-INF/neoforge.mods.toml': 'neoforge', 'META-INF/mods.toml': 'forge' };
  const found: Manifest[] = [];
  for (const [entry, loader] of Object.entries(entries)) {
    if (!reader.has(entry)) continue;
    const file = await reader.fields(entry, 'toml');
    found.push(file ? await modsToml(reader, file, { entry, loader, known }) : emptyManifest([loader]));
  }
  return found;
}

interface Place {
  entry: string;
  loader: string;
  known: readonly KnownGameVersion[];
}

async function modsToml(
  reader: ManifestReader,
  file: Fields,
  { entry, loader, known }: Place,
): Promise<Manifest> {
  const mod = fieldsOf(reader.list(file.mods, entry, 'mods')[0]);
  const dependencies: FoundDependency[] = [];
  const own = typeof mod.modId === 'string' ? mod.modId : '';
  let games: VersionRange[] | null = null;
  let needsNeoForge = false;
  for (const one of reader.list(fieldsOf(file, 'dependencies')[own], entry, 'dependencies')) {
    const { modId, mandatory, type, versionRange } = fieldsOf(one);
    if (typeof modId !== 'string') continue;
    if (modId === 'neoforge') needsNeoForge = true;
    if (modId === 'minecraft') games = rangesOf(reader, versionRange, entry);
    const dependency_type = kindOf(type, mandatory);
    if (dependency_type === 'incompatible' && !isEvery(versionRange)) continue;
    if (dependency_type) addDependency(reader, dependencies, { id: modId, dependency_type }, entry);
  }
  for (const jar of reader.list((await reader.fields(embedded, 'lenient_json'))?.jars, embedded, 'jars'))
    addDependency(reader, dependencies, embeddedName(fieldsOf(jar).path), embedded);
  return {
    name: nameOf(reader, mod.displayName ?? mod.modId, entry),
    version_number: await versionOf(reader, mod.version, entry),
    loaders: [needsNeoForge ? 'neoforge' : loader],
    game_versions: gameVersionsOf(reader, entry, games, known),
    dependencies,
    environment: null,
    license: licenseOf(reader, file.license, entry),
  };
}

/** NeoForge names a type, Forge only whether it is mandatory. */
function kindOf(type: unknown, mandatory: unknown): FoundDependency['dependency_type'] | null {
  const named = typeof type === 'string' ? type.toLowerCase() : null;
  if (named === 'discouraged') return null;
  if (named === 'required' || named === 'optional' || named === 'incompatible') return named;
  return mandatory === false ? 'optional' : 'required';
}

const isEvery = (range: unknown): boolean =>
  range === undefined || range === '' || range === '*' || range === '[0,)';

function rangesOf(reader: ManifestReader, text: unknown, entry: string): VersionRange[] {
  if (text === undefined || text === '') return [];
  const range = typeof text === 'string' ? mavenRange(text) : null;
  if (!range) reader.add('wrong_type', entry, 'minecraft');
  return range ? [range] : [];
}

/** The build puts the number into the manifest of the jar where the mod says `${file.jarVersion}`. */
async function versionOf(reader: ManifestReader, value: unknown, entry: string): Promise<string | null> {
  if (
    typeof value !== 'string' ||
    !/\$\{\s*(file\.jarVersion|version)\s*\}/.test(value) ||
    !reader.has(jarManifest)
  )
    return versionNumberOf(reader, value, entry);
  const text = await reader.text(jarManifest, 256 * 1024);
  const number = /^Implementation-Version:[ \t]*([^\r\n]{1,256})/m.exec(text ?? '')?.[1];
  return versionNumberOf(reader, number ?? value, number ? jarManifest : entry);
}

/** `required-after:name@[1,)` -> name. */
const idOf = (text: string): string => text.slice(text.lastIndexOf(':') + 1).split('@', 1)[0]!;

/** `mcmod.info` of old versions of Forge and Sponge: a list of mods, or an object with one. */
export async function legacyForgeManifest(
  reader: ManifestReader,
  known: readonly KnownGameVersion[],
): Promise<Manifest | null> {
  const entry = 'mcmod.info';
  const value = await reader.parsed(entry, 'lenient_json');
  const list = isFields(value) ? (value.modList ?? value.modlist) : value;
  const mod = Array.isArray(list) ? list[0] : null;
  if (!isFields(mod)) {
    if (value !== null) reader.add('wrong_type', entry);
    return reader.has(entry) ? emptyManifest(['forge']) : null;
  }
  const dependencies: FoundDependency[] = [];
  const needs = reader.list(mod.requiredMods, entry, 'dependencies');
  const isSponge = needs.some((one) => typeof one === 'string' && idOf(one) === spongeInterface);
  const required = [...needs, ...reader.list(mod.dependencies, entry, 'dependencies')];
  for (const one of required)
    if (typeof one === 'string' && idOf(one) !== spongeInterface)
      addDependency(reader, dependencies, { id: idOf(one), dependency_type: 'required' }, entry);
  const game = reader.line(mod.mcversion, entry, 'mcversion', 64);
  const range = game ? (mavenRange(game) ?? predicateRange(game)) : null;
  return {
    name: nameOf(reader, mod.name ?? mod.modid, entry),
    version_number: versionNumberOf(reader, mod.version, entry),
    loaders: [isSponge ? 'sponge' : 'forge'],
    game_versions: gameVersionsOf(reader, entry, range && [range], known),
    dependencies,
    environment: null,
    license: null,
  };
}
