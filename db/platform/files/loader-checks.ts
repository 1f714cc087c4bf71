import type { FileExtension } from './rules.ts';

/**
 * Content an archive must have for a loader. `needs`: each group must match one of its entries; a trailing `*` matches
 * any text. `from` and `until` limit the release dates of the game versions the check applies to.
 */
export interface LoaderCheck {
  loaders: string[];
  extensions: FileExtension[];
  from?: string;
  until?: string;
  needs: string[][];
  /** Whether a disguised modpack gets a warning. */
  mod?: true;
}

const legacyForge = '2018-10-21T00:00:00Z';
const resourcePacks = '2013-06-13T00:00:00Z';

/** All checks. A loader without a row accepts any allowed file. Source: api-v3 §9.2. */
const loaderChecks: LoaderCheck[] = [
  { loaders: ['fabric'], extensions: ['jar'], needs: [['fabric.mod.json']], mod: true },
  {
    loaders: ['forge'],
    extensions: ['jar', 'zip'],
    from: legacyForge,
    needs: [['META-INF/mods.toml', 'META-INF/MANIFEST.MF', '*.class']],
    mod: true,
  },
  {
    loaders: ['forge'],
    extensions: ['jar', 'zip'],
    until: legacyForge,
    needs: [['mcmod.info', 'META-INF/MANIFEST.MF', '*.class']],
    mod: true,
  },
  {
    loaders: ['neoforge'],
    extensions: ['jar', 'zip'],
    needs: [['META-INF/mods.toml', 'META-INF/neoforge.mods.toml', 'META-INF/MANIFEST.MF', '*.class']],
    mod: true,
  },
  {
    loaders: ['quilt'],
    extensions: ['jar', 'zip'],
    from: '2022-02-28T00:00:00Z',
    needs: [['quilt.mod.json', 'fabric.mod.json']],
    mod: true,
  },
  { loaders: ['liteloader'], extensions: ['litemod', 'jar'], needs: [['litemod.json']], mod: true },
  { loaders: ['rift'], extensions: ['jar'], needs: [['riftmod.json']], mod: true },
  {
    loaders: ['bukkit', 'spigot', 'paper', 'purpur', 'folia'],
    extensions: ['zip', 'jar'],
    needs: [['plugin.yml', 'paper-plugin.yml']],
  },
  { loaders: ['bungeecord', 'waterfall'], extensions: ['zip', 'jar'], needs: [['plugin.yml', 'bungee.yml']] },
  { loaders: ['velocity'], extensions: ['zip', 'jar'], needs: [['velocity-plugin.json']] },
  {
    loaders: ['sponge'],
    extensions: ['zip', 'jar'],
    needs: [['sponge_plugins.json', 'mcmod.info', 'META-INF/sponge_plugins.json']],
  },
  { loaders: ['datapack'], extensions: ['zip'], from: '2017-10-25T00:00:00Z', needs: [['pack.mcmeta']] },
  { loaders: ['minecraft'], extensions: ['zip'], from: resourcePacks, needs: [['pack.mcmeta']] },
  // release day of a1.2.2a, the first version with texture packs
  {
    loaders: ['minecraft'],
    extensions: ['zip'],
    from: '2010-11-10T00:00:00Z',
    until: resourcePacks,
    needs: [['pack.txt']],
  },
  { loaders: ['optifine', 'iris'], extensions: ['zip'], needs: [['shaders/*']] },
  { loaders: ['canvas'], extensions: ['zip'], needs: [['pack.mcmeta'], ['*/pipelines/*']] },
  { loaders: ['vanilla'], extensions: ['zip'], needs: [['pack.mcmeta'], ['assets/minecraft/shaders/*']] },
  { loaders: ['mrpack'], extensions: ['mrpack'], needs: [] },
];

/** A version as input of the checks: its loaders and the release dates of its game versions. */
export interface CheckedVersion {
  loaders: string[];
  game_versions: Array<{ version: string; date: string | Date }>;
}

/** Checks that match the loaders and game versions of the version. Source: api-v3 §9.1. */
export const checksFor = ({ loaders, game_versions }: CheckedVersion): LoaderCheck[] => {
  const dates = game_versions.map(({ date }) => new Date(date).getTime());
  return loaderChecks.filter(({ loaders: own, from, until }) => {
    const first = from ? Date.parse(from) : Number.NEGATIVE_INFINITY;
    const end = until ? Date.parse(until) : Number.POSITIVE_INFINITY;
    const inWindow = from || until ? dates.some((date) => date > first && date <= end) : true;
    return inWindow && own.some((loader) => loaders.includes(loader));
  });
};

const matches = (pattern: string, entry: string): boolean => {
  const start = pattern.startsWith('*');
  const end = pattern.endsWith('*');
  if (start && end) return entry.includes(pattern.slice(1, -1));
  if (start) return entry.endsWith(pattern.slice(1));
  if (end) return entry.startsWith(pattern.slice(0, -1));
  return entry === pattern;
};

/** The first group of `needs` that no entry matches, or null. */
export const missingFrom = (needs: string[][], entries: readonly string[]): string[] | null =>
  needs.find((group) => !group.some((pattern) => entries.some((entry) => matches(pattern, entry)))) ?? null;

/** The entry that identifies a disguised modpack, or null. Source: api-v3 §9.1 (last row). */
export const modpackEntry = (entries: readonly string[]): string | null => {
  if (entries.includes('manifest.json') && entries.includes('modlist.html')) return 'modlist.html';
  return entries.find((entry) => entry.startsWith('mods/') && entry.endsWith('.jar')) ?? null;
};
