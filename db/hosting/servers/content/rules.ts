import { type Environment, loadedBy } from '../../../catalogue/tags/rules.ts';
import { extensionOf, isPlainName } from '../../../platform/files/rules.ts';
import { serverLoader, serverLoaderNames } from '../../server-kinds/data/loaders.ts';
import { parsePath, whyNotName } from '../files/rules.ts';
import type { planProblems, ServerContentType } from './view.ts';

/** Rules for mods, plugins and data packs on a server: where their files are, and which of them it loads. Source: hosting §1b. */

/** What decides which content a server loads. `loader` is null for vanilla; `world` is the folder of its world. */
export interface ContentTarget {
  game_version: string;
  loader: string | null;
  world: string;
}

export type PlanProblem = (typeof planProblems)[number];

const default_world = 'world';

/** The types of content that a server loads, by its loader. */
export function contentTypesOf(loader: string | null): ServerContentType[] {
  const type = serverLoader(loader)?.content;
  return type ? [type, 'datapack'] : ['datapack'];
}

/** The folder of each type of content, relative to the server's folder. */
export const contentFolder = (type: ServerContentType, world: string): string =>
  type === 'datapack' ? `${world}/datapacks` : `${type}s`;

/** The folders that a server loads content from. */
export const contentFolders = ({ loader, world }: Pick<ContentTarget, 'loader' | 'world'>): string[] =>
  contentTypesOf(loader).map((type) => contentFolder(type, world));

/**
 * The folder of the world: `level-name` of the text of `server.properties`; the usual one when it says none, or one that
 * would be outside of the server's folder. The last line counts, as in Java.
 */
export function worldFolder(properties: string | null): string {
  const lines = [...(properties ?? '').matchAll(/^[ \t\f]*level-name[ \t\f]*[=:](.*)$/gm)];
  const text = (lines.at(-1)?.[1] ?? '')
    .replace(/\r$/, '')
    .replace(/\\u([0-9a-fA-F]{4})|\\(.)/g, (_, code?: string, plain?: string) =>
      code ? String.fromCharCode(Number.parseInt(code, 16)) : plain!,
    );
  const { names } = parsePath(text.trim(), 'fresh');
  return names ? names.join('/') : default_world;
}

const disabled = '.disabled';

/** Whether a file is loaded by its name. */
export const isEnabled = (path: string): boolean => !path.endsWith(disabled);
/** The path of a file when it is loaded, and when it is not. */
export const enabledPath = (path: string): string =>
  isEnabled(path) ? path : path.slice(0, -disabled.length);
export const pathAs = (path: string, enabled: boolean): string =>
  enabled ? enabledPath(path) : `${enabledPath(path)}${disabled}`;

const extensions = { mod: 'jar', plugin: 'jar', datapack: 'zip' } as const;

/** The type of content that a file is, by its folder and name; null when it is none. */
export function typeOfFile(path: string, { loader, world }: ContentTarget): ServerContentType | null {
  const slash = path.lastIndexOf('/');
  const folder = path.slice(0, Math.max(slash, 0));
  const type = contentTypesOf(loader).find((one) => contentFolder(one, world) === folder);
  return type && extensionOf(enabledPath(path)) === extensions[type] ? type : null;
}

/** Loaders whose versions a server with this loader loads as content of a type. */
export const loadersOf = (type: ServerContentType, loader: string | null): string[] =>
  type === 'datapack' || loader === null ? ['datapack'] : loadedBy(loader);

/** What a version is on a server with this loader; null when the server does not load it. */
export function typeOfVersion(loaders: readonly string[], loader: string | null): ServerContentType | null {
  return (
    contentTypesOf(loader).find((type) => loadersOf(type, loader).some((name) => loaders.includes(name))) ??
    null
  );
}

/** Environments of versions that do nothing on a server of its own. */
export const clientEnvironments: readonly Environment[] = ['client_only', 'singleplayer_only'];

/** What decides whether a version works on a server. */
export interface VersionFacts {
  loaders: readonly string[];
  game_versions: readonly string[];
  environment: string;
  /** Of its project: counts where the version does not say. */
  server_side: string;
  /** Name of its file; null when it has none. */
  filename: string | null;
}

const loadedSomewhere = new Set([
  ...serverLoaderNames.filter((loader) => serverLoader(loader)?.content).flatMap(loadedBy),
  'datapack',
]);

/** Whether there are servers that load files for this loader. */
export const isForServers = (loader: string): boolean => loadedSomewhere.has(loader);

/** Why the server will not load a version that is in the folder of `type`, or null. */
export function whyNotLoaded(
  { loaders, game_versions }: Pick<VersionFacts, 'loaders' | 'game_versions'>,
  type: ServerContentType,
  { loader, game_version }: ContentTarget,
): 'wrong_loader' | 'wrong_game_version' | null {
  if (!loadersOf(type, loader).some((name) => loaders.includes(name))) return 'wrong_loader';
  return game_versions.includes(game_version) ? null : 'wrong_game_version';
}

/** Why a version cannot be installed on a server, or null. */
export function whyNotInstall(version: VersionFacts, target: ContentTarget): PlanProblem | null {
  const { loaders, environment, server_side, filename } = version;
  const type = typeOfVersion(loaders, target.loader);
  if (!type) return loaders.some(isForServers) ? 'wrong_loader' : 'not_supported';
  const why = whyNotLoaded(version, type, target);
  if (why) return why;
  if (type !== 'datapack' && isForClients(environment, server_side)) return 'client_only';
  return filename !== null && isInstallable(filename, type) ? null : 'not_supported';
}

const isForClients = (environment: string, server_side: string): boolean =>
  (clientEnvironments as readonly string[]).includes(environment) ||
  (environment === 'unknown' && server_side === 'unsupported');

const isInstallable = (filename: string, type: ServerContentType): boolean =>
  isPlainName(filename) && whyNotName(filename) === null && extensionOf(filename) === extensions[type];

/** Game versions, newest first: numbers in them are compared as numbers. */
export const newestFirst = (versions: readonly string[]): string[] =>
  [...versions].sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
