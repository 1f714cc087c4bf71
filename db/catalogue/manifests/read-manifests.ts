import type { ArchiveView } from '../../platform/files/archive-view.ts';
import { isLoader } from '../tags/rules.ts';
import { fabricManifest, quiltManifest } from './fabric.ts';
import { forgeManifests, legacyForgeManifest } from './forge.ts';
import type { FoundDependency, KnownGameVersion, Manifest, ManifestProblem } from './manifest.ts';
import { ManifestReader } from './manifest-text.ts';
import { modpackManifest } from './modpack.ts';
import { liteloaderManifest, riftManifest } from './old-loaders.ts';
import { folderWithPack, packManifests } from './packs.ts';
import { pluginManifests } from './plugins.ts';
import { spongeManifest } from './sponge.ts';

/** What a file says about itself, as a proposal for the fields of a version. */
export interface ManifestReading extends Manifest {
  /** Guessed from the version number. */
  version_type: 'release' | 'beta' | 'alpha';
  /** Whether it is a modpack, whose content the server finds by itself. */
  modpack: boolean;
  problems: ManifestProblem[];
}

/**
 * Reads every manifest of an archive and merges what they say; runs in browsers, in `cairn` and on the server. Ranges
 * of game versions become versions of `known`, in its order. Nothing in an archive makes it throw: what cannot be read
 * is left out and told in `problems`.
 */
export async function readManifests(
  archive: ArchiveView,
  known: readonly KnownGameVersion[],
): Promise<ManifestReading> {
  const reader = new ManifestReader(archive);
  const modpack = await modpackManifest(reader, known);
  const found = modpack
    ? [modpack]
    : [
        await fabricManifest(reader, known),
        await quiltManifest(reader, known),
        ...(await forgeManifests(reader, known)),
        await legacyForgeManifest(reader, known),
        await liteloaderManifest(reader, known),
        await riftManifest(reader),
        ...(await pluginManifests(reader, known)),
        await spongeManifest(reader),
      ].filter((one) => one !== null);
  if (found.length === 0) found.push(...(await packManifests(reader, known)));
  if (found.length === 0)
    reader.add(folderWithPack(archive.names) ? 'manifest_in_folder' : 'manifest_missing', '');
  const merged = merge(found, known);
  return {
    ...merged,
    version_type: channelOf(merged.version_number ?? ''),
    modpack: modpack !== null,
    problems: reader.problems,
  };
}

/** The first name, number and environment; all loaders, versions and dependencies. */
function merge(found: readonly Manifest[], known: readonly KnownGameVersion[]): Manifest {
  const games = new Set(found.flatMap(({ game_versions }) => game_versions));
  const dependencies = new Map<string, FoundDependency>();
  for (const one of found.flatMap((manifest) => manifest.dependencies))
    if (!dependencies.has(one.id)) dependencies.set(one.id, one);
  return {
    name: found.find(({ name }) => name)?.name ?? null,
    version_number: found.find(({ version_number }) => version_number)?.version_number ?? null,
    loaders: [...new Set(found.flatMap(({ loaders }) => loaders))].filter(isLoader),
    game_versions: known.filter(({ version }) => games.has(version)).map(({ version }) => version),
    dependencies: [...dependencies.values()].slice(0, 4096),
    environment: found.find(({ environment }) => environment)?.environment ?? null,
    license: found.find(({ license }) => license)?.license ?? null,
  };
}

/** The channel that a version number names, `release` when it names none. */
function channelOf(version_number: string): 'release' | 'beta' | 'alpha' {
  const words = version_number.toLowerCase().match(/[a-z]+/g) ?? [];
  if (words.some((word) => ['alpha', 'a', 'snapshot', 'dev', 'nightly'].includes(word))) return 'alpha';
  return words.some((word) => ['beta', 'b', 'rc', 'pre', 'preview'].includes(word)) ? 'beta' : 'release';
}
