/**
 * Loaders: [name, icon, own project types, group, whether its versions have an environment].
 * Source: specification §3 (names, groups); api-v3 §3.5 (types of each); api-v3 §2.3 (loaders with `environment`).
 * Hidden = shown after the others in filters. `icon` is a lucide name; no other project's mark is used.
 */
export const loaderData = [
  ['babric', 'spool', ['mod'], 'mod', 'hidden', 'environment'],
  ['bta-babric', 'spool', ['mod'], 'mod', 'hidden', 'environment'],
  ['bukkit', 'plug', ['plugin'], 'plugin', 'shown', ''],
  ['bungeecord', 'network', ['plugin'], 'plugin_platform', 'shown', ''],
  ['canvas', 'frame', ['shader'], 'shader', 'shown', ''],
  ['datapack', 'braces', ['datapack'], 'datapack', 'shown', ''],
  ['fabric', 'grid-2x2', ['mod'], 'mod', 'shown', 'environment'],
  ['folia', 'leaf', ['plugin'], 'plugin', 'shown', ''],
  ['forge', 'anvil', ['mod'], 'mod', 'shown', 'environment'],
  ['iris', 'eye', ['shader'], 'shader', 'shown', ''],
  ['java-agent', 'coffee', ['mod'], 'mod', 'hidden', 'environment'],
  ['legacy-fabric', 'history', ['mod'], 'mod', 'hidden', 'environment'],
  ['liteloader', 'feather', ['mod'], 'mod', 'hidden', 'environment'],
  ['minecraft', 'box', ['resourcepack'], 'resourcepack', 'shown', ''],
  ['modloader', 'package', ['mod'], 'mod', 'hidden', 'environment'],
  ['mrpack', 'package-open', ['modpack'], 'modpack', 'hidden', 'environment'],
  ['neoforge', 'hammer', ['mod'], 'mod', 'shown', 'environment'],
  ['nilloader', 'circle-off', ['mod'], 'mod', 'hidden', 'environment'],
  ['optifine', 'telescope', ['shader'], 'shader', 'shown', ''],
  ['ornithe', 'bird', ['mod'], 'mod', 'hidden', 'environment'],
  ['paper', 'scroll', ['plugin'], 'plugin', 'shown', ''],
  ['purpur', 'sparkles', ['plugin'], 'plugin', 'shown', ''],
  ['quilt', 'grid-3x3', ['mod'], 'mod', 'shown', 'environment'],
  ['rift', 'split', ['mod'], 'mod', 'hidden', 'environment'],
  ['spigot', 'droplet', ['plugin'], 'plugin', 'shown', ''],
  ['sponge', 'waves', ['plugin'], 'plugin', 'shown', ''],
  ['vanilla', 'cake-slice', ['shader'], 'shader', 'shown', 'environment'],
  ['velocity', 'gauge', ['plugin'], 'plugin_platform', 'shown', ''],
  ['waterfall', 'droplets', ['plugin'], 'plugin_platform', 'shown', ''],
] as const;
type LoaderName = (typeof loaderData)[number][0];

/** The loaders that people look for, those that most files are made for first; the others follow by name. */
export const loadersByUse = [
  ...['fabric', 'neoforge', 'forge', 'quilt'],
  ...['paper', 'spigot', 'bukkit', 'purpur', 'folia', 'sponge'],
  ...['velocity', 'bungeecord', 'waterfall'],
  ...['iris', 'optifine', 'vanilla', 'canvas'],
] as const satisfies readonly LoaderName[];

/** Loaders that a modpack can be for. */
export const packLoaderNames = [
  'fabric',
  'forge',
  'neoforge',
  'quilt',
] as const satisfies readonly LoaderName[];

/** Loaders whose files another loader also loads. */
export const alsoLoads: Partial<Record<string, readonly LoaderName[]>> = {
  quilt: ['fabric'],
  spigot: ['bukkit'],
  paper: ['spigot', 'bukkit'],
  purpur: ['paper', 'spigot', 'bukkit'],
  waterfall: ['bungeecord'],
};
