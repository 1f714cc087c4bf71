import { stringify } from 'smol-toml';
import type { packLoaderNames } from '../../tags/rules.ts';
import type { GameRun } from './game-runs.ts';

export type ModLoader = (typeof packLoaderNames)[number];

/** What a pack that becomes a mod says about itself. */
export interface PackagedMod {
  /** By `modIdOf`. */
  id: string;
  version: string;
  name: string;
  description: string;
  authors: readonly string[];
  /** An SPDX expression. */
  license: string;
  /** The path of a PNG in the archive. */
  icon: string | null;
  homepage: string;
  issues: string | null;
  sources: string | null;
  /** Null when no range can say it. */
  games: readonly GameRun[] | null;
  /** Whether one of the game versions is older than `neoforge.mods.toml` (1.20.5). */
  old_neoforge: boolean;
}

const paths = {
  fabric: 'fabric.mod.json',
  quilt: 'quilt.mod.json',
  forge: 'META-INF/mods.toml',
  neoforge: 'META-INF/neoforge.mods.toml',
} as const satisfies Record<ModLoader, string>;

/**
 * The manifests with which loaders take a data pack for a mod, by their paths in the archive. Fabric and Quilt load
 * `data/` only with a library that reads it (a module of Fabric API, or Quilt's own); Forge and NeoForge do so
 * themselves. NeoForge reads Forge's file before Minecraft 1.20.5. Both
 * formats of JSON are those of schema 1; `lowcodefml` is Forge's name for a mod without code.
 */
export function modManifests(mod: PackagedMod, loaders: readonly ModLoader[]): Map<string, string> {
  const found = new Map<string, string>();
  if (loaders.includes('fabric')) found.set(paths.fabric, json(fabricManifest(mod)));
  if (loaders.includes('quilt')) found.set(paths.quilt, json(quiltManifest(mod)));
  if (loaders.includes('forge') || (loaders.includes('neoforge') && mod.old_neoforge))
    found.set(paths.forge, modsToml(mod, 'forge'));
  if (loaders.includes('neoforge')) found.set(paths.neoforge, modsToml(mod, 'neoforge'));
  return found;
}

/** Where loaders look for a manifest. */
export const manifestPaths: readonly string[] = Object.values(paths);

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const contactOf = ({ homepage, issues, sources }: PackagedMod) => ({
  homepage,
  ...(issues && { issues }),
  ...(sources && { sources }),
});

/** One alternative a run: terms separated by a blank must all hold. */
const predicates = (games: readonly GameRun[]): string[] =>
  games.map(({ first, last }) => (first === last ? first : `>=${first} <=${last}`));

const fabricManifest = (mod: PackagedMod) => ({
  schemaVersion: 1,
  id: mod.id,
  version: mod.version,
  name: mod.name,
  description: mod.description,
  authors: mod.authors,
  contact: contactOf(mod),
  license: mod.license,
  ...(mod.icon && { icon: mod.icon }),
  environment: '*',
  depends: {
    ...(mod.games && { minecraft: predicates(mod.games) }),
    'fabric-resource-loader-v0': '*',
  },
});

const quiltManifest = (mod: PackagedMod) => ({
  schema_version: 1,
  quilt_loader: {
    group: 'data_pack',
    id: mod.id,
    version: mod.version,
    metadata: {
      name: mod.name,
      description: mod.description,
      contributors: Object.fromEntries(mod.authors.map((name) => [name, 'Author'])),
      contact: contactOf(mod),
      license: mod.license,
      ...(mod.icon && { icon: mod.icon }),
    },
    intermediate_mappings: 'net.fabricmc:intermediary',
    depends: [
      ...(mod.games ? [{ id: 'minecraft', versions: predicates(mod.games) }] : []),
      // whichever of both libraries is there
      { id: 'quilt_resource_loader', versions: '*', unless: 'fabric-resource-loader-v0' },
    ],
  },
});

function modsToml(mod: PackagedMod, loader: 'forge' | 'neoforge'): string {
  const range = mod.games?.map(({ first, last }) => (first === last ? `[${first}]` : `[${first},${last}]`));
  const needed = loader === 'neoforge' ? { type: 'required' } : { mandatory: true };
  const game = {
    modId: 'minecraft',
    ...needed,
    versionRange: range?.join(','),
    ordering: 'NONE',
    side: 'BOTH',
  };
  return stringify({
    // NeoForge takes mods without code as Java ones
    modLoader: loader === 'neoforge' ? 'javafml' : 'lowcodefml',
    loaderVersion: '[1,)',
    license: mod.license,
    showAsResourcePack: false,
    ...(mod.issues && { issueTrackerURL: mod.issues }),
    mods: [
      {
        modId: mod.id,
        version: digitFirst(mod.version),
        displayName: mod.name,
        description: mod.description,
        authors: mod.authors.join(', '),
        displayURL: mod.homepage,
        ...(mod.icon && { logoFile: mod.icon }),
      },
    ],
    ...(range && { dependencies: { [mod.id]: [game] } }),
  });
}

/** Forge and NeoForge refuse a mod whose version begins with anything but a digit: `v1.2` -> `1.2`. */
const digitFirst = (version: string): string => {
  const found = /\d.*/.exec(version);
  return found ? found[0] : `0-${version}`;
};
