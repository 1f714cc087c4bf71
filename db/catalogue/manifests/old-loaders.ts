import { predicateRange } from './game-version-ranges.ts';
import { emptyManifest, type FoundDependency, type KnownGameVersion, type Manifest } from './manifest.ts';
import { type Fields, fieldsOf, type ManifestReader } from './manifest-text.ts';
import { addDependency, gameVersionsOf, nameOf, versionNumberOf } from './manifest-values.ts';

/** `litemod.json` of LiteLoader, whose mods name one version of the game, and what they need by name. */
export async function liteloaderManifest(
  reader: ManifestReader,
  known: readonly KnownGameVersion[],
): Promise<Manifest | null> {
  const entry = 'litemod.json';
  if (!reader.has(entry)) return null;
  const mod = fieldsOf(await reader.fields(entry, 'lenient_json'));
  const game = reader.line(mod.mcversion, entry, 'mcversion', 64);
  const range = game ? predicateRange(game) : null;
  return {
    ...emptyManifest(['liteloader']),
    name: nameOf(reader, mod.displayName ?? mod.name, entry),
    version_number: versionNumberOf(reader, mod.version, entry),
    game_versions: gameVersionsOf(reader, entry, range && [range], known),
    dependencies: requiredOf(reader, mod, entry),
  };
}

function requiredOf(reader: ManifestReader, mod: Fields, entry: string): FoundDependency[] {
  const dependencies: FoundDependency[] = [];
  for (const id of reader.list(mod.dependsOn, entry, 'dependencies'))
    if (typeof id === 'string')
      addDependency(reader, dependencies, { id, dependency_type: 'required' }, entry);
  return dependencies;
}

/** `riftmod.json` of Rift, which says hardly more than the name. */
export async function riftManifest(reader: ManifestReader): Promise<Manifest | null> {
  const entry = 'riftmod.json';
  if (!reader.has(entry)) return null;
  const mod = fieldsOf(await reader.fields(entry, 'lenient_json'));
  return {
    ...emptyManifest(['rift']),
    name: nameOf(reader, mod.name ?? mod.id, entry),
    version_number: versionNumberOf(reader, mod.version, entry),
  };
}
