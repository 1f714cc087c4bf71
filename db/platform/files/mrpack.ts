import type { ArchiveView } from './archive-view.ts';
import { isPlainName } from './rules.ts';

/** `modrinth.index.json`, the contents of a modpack. Keys as in the file. Source: api-v3 §9.3. */
export interface MrpackIndex {
  game: 'minecraft';
  formatVersion: number;
  versionId: string;
  name: string;
  summary: string | null;
  files: MrpackFile[];
  dependencies: Partial<Record<MrpackDependency, string>>;
}

interface MrpackFile {
  path: string;
  hashes: { sha1: string; sha512: string };
  env: { client?: string; server?: string } | null;
  downloads: string[];
  fileSize: number;
}

const mrpackDependencies = ['minecraft', 'forge', 'neoforge', 'fabric-loader', 'quilt-loader'] as const;
type MrpackDependency = (typeof mrpackDependencies)[number];

/** Allowed download hosts of a modpack besides our own. Source: api-v3 §9.3. */
export const mrpackHosts = [
  'cdn.modrinth.com',
  'github.com',
  'raw.githubusercontent.com',
  'gitlab.com',
] as const;

export type MrpackProblem =
  | { code: 'mrpack_index_malformed'; data: { field: string; expected: string } }
  | { code: 'mrpack_game_unknown' | 'mrpack_empty'; data: Record<string, never> }
  | { code: 'mrpack_path_unsafe' | 'mrpack_hash_missing'; data: { path: string } }
  | { code: 'mrpack_download_invalid'; data: { path: string; url: string } }
  | { code: 'mrpack_download_host'; data: { path: string; host: string; hosts: string } }
  | { code: 'mrpack_dependency_unknown'; data: { key: string; allowed: string } };

export const indexName = 'modrinth.index.json';
const indexBytes = 8 * 1024 * 1024;

/**
 * The index of an archive, the first rule it violates, or null without that entry. `hosts` as in `readIndex`. Throws what
 * the archive throws for an entry that is damaged or too large.
 */
export async function readModpackIndex(
  archive: ArchiveView,
  hosts: readonly string[] | null,
): Promise<MrpackIndex | MrpackProblem | null> {
  const written = await writtenIndex(archive, hosts);
  return written && indexOf(written);
}

/** An index before it is parsed. */
export interface WrittenIndex {
  bytes: Uint8Array;
  has_overrides: boolean;
  hosts: readonly string[] | null;
}

/** The index of an archive as it is there; null without that entry. Throws as `readModpackIndex`. */
export async function writtenIndex(
  archive: ArchiveView,
  hosts: readonly string[] | null,
): Promise<WrittenIndex | null> {
  const bytes = await archive.read(indexName, indexBytes);
  return bytes && { bytes, has_overrides: archive.names.some(isInOverrides), hosts };
}

/** The index that is written there, or the first rule it violates. */
export const indexOf = ({ bytes, has_overrides, hosts }: WrittenIndex): MrpackIndex | MrpackProblem =>
  readIndex(parsed(bytes), has_overrides, hosts);

const isInOverrides = (entry: string): boolean => entry.startsWith('overrides/');

const parsed = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
};

type Json = Record<string, unknown>;
const sides = ['required', 'optional', 'unsupported', 'unknown'];

/**
 * Checks an index: gives the index, or the first rule it violates. An index without files needs overrides; `hosts` are all
 * allowed download hosts, null for any. Source: api-v3 §9.3.
 */
export function readIndex(
  value: unknown,
  has_overrides: boolean,
  hosts: readonly string[] | null,
): MrpackIndex | MrpackProblem {
  if (!isObject(value)) return malformed('the file', 'an object');
  if (value.game !== 'minecraft') return { code: 'mrpack_game_unknown', data: {} };
  const { formatVersion, versionId, name, summary, files, dependencies } = value;
  if (!Number.isInteger(formatVersion)) return malformed('formatVersion', 'an integer');
  if (!isText(versionId, 1, 512)) return malformed('versionId', 'text of 1 to 512 characters');
  if (!isText(name, 1, 512)) return malformed('name', 'text of 1 to 512 characters');
  if (summary !== undefined && summary !== null && !isText(summary, 0, 2048))
    return malformed('summary', 'text of at most 2048 characters');
  if (!Array.isArray(files)) return malformed('files', 'a list');
  if (files.length === 0 && !has_overrides) return { code: 'mrpack_empty', data: {} };
  const read: MrpackFile[] = [];
  for (const [i, file] of files.entries()) {
    const one = readFile(file, `files[${i}]`, hosts);
    if ('code' in one) return one;
    read.push(one);
  }
  const wrong = wrongDependency(dependencies);
  if (wrong) return wrong;
  return {
    game: 'minecraft',
    formatVersion: formatVersion as number,
    versionId,
    name,
    summary: summary ?? null,
    files: read,
    dependencies: dependencies as MrpackIndex['dependencies'],
  };
}

function readFile(file: unknown, at: string, hosts: readonly string[] | null): MrpackFile | MrpackProblem {
  if (!isObject(file)) return malformed(at, 'an object');
  const { path, hashes, env, downloads, fileSize } = file;
  if (typeof path !== 'string') return malformed(`${at}.path`, 'text');
  if (!path.split('/').every(isPlainName)) return { code: 'mrpack_path_unsafe', data: { path } };
  if (!isObject(hashes)) return malformed(`${at}.hashes`, 'an object');
  const { sha1, sha512 } = hashes;
  if (!isText(sha1, 1, 512) || !isText(sha512, 1, 512))
    return { code: 'mrpack_hash_missing', data: { path } };
  if (env !== undefined && env !== null && !isEnvironment(env)) {
    return malformed(`${at}.env`, `client and server, each ${sides.join(', ')}`);
  }
  if (!Array.isArray(downloads)) return malformed(`${at}.downloads`, 'a list');
  if (!Number.isInteger(fileSize) || (fileSize as number) < 0 || (fileSize as number) > 0xffffffff) {
    return malformed(`${at}.fileSize`, 'an integer of 0 to 4294967295');
  }
  for (const url of downloads) {
    const wrong = wrongDownload(url, path, hosts);
    if (wrong) return wrong;
  }
  return { path, hashes: { sha1, sha512 }, env: env ?? null, downloads, fileSize: fileSize as number };
}

function wrongDownload(url: unknown, path: string, hosts: readonly string[] | null): MrpackProblem | null {
  const parsed = typeof url === 'string' && URL.canParse(url) ? new URL(url) : null;
  if (!parsed || parsed.href !== url || !/^https?:$/.test(parsed.protocol)) {
    return { code: 'mrpack_download_invalid', data: { path, url: String(url) } };
  }
  if (!hosts || hosts.includes(parsed.host)) return null;
  return { code: 'mrpack_download_host', data: { path, host: parsed.host, hosts: hosts.join(', ') } };
}

function wrongDependency(dependencies: unknown): MrpackProblem | null {
  if (!isObject(dependencies)) return malformed('dependencies', 'an object');
  for (const [key, version] of Object.entries(dependencies)) {
    if (!mrpackDependencies.includes(key as MrpackDependency)) {
      return { code: 'mrpack_dependency_unknown', data: { key, allowed: mrpackDependencies.join(', ') } };
    }
    if (typeof version !== 'string') return malformed(`dependencies.${key}`, 'text');
  }
  return null;
}

const malformed = (field: string, expected: string): MrpackProblem => ({
  code: 'mrpack_index_malformed',
  data: { field, expected },
});
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown, min: number, max: number): value is string =>
  typeof value === 'string' && [...value].length >= min && [...value].length <= max;
const isEnvironment = (env: unknown): env is { client?: string; server?: string } =>
  isObject(env) &&
  [env.client, env.server].every((side) => side === undefined || sides.includes(side as string));

/** What a server or client for a modpack has to be. */
export interface PackLoader {
  game_version: string;
  loader: string;
  loader_version: string;
}

/** Longest text that is kept of a version that an index names. */
const version_length = 60;
/** Loaders of the catalogue by what an index calls them. */
export const loaderNames = {
  'fabric-loader': 'fabric',
  'quilt-loader': 'quilt',
  forge: 'forge',
  neoforge: 'neoforge',
} as const;

/** The loader that a modpack asks for; null without one, and when it names no plain versions. */
export function packLoaderOf({ dependencies }: Pick<MrpackIndex, 'dependencies'>): PackLoader | null {
  for (const [key, loader] of Object.entries(loaderNames)) {
    const loader_version = dependencies[key as keyof typeof loaderNames];
    const game_version = dependencies.minecraft;
    if (loader_version === undefined || game_version === undefined) continue;
    const isPlain = [game_version, loader_version].every((text) => isText(text, 1, version_length));
    return isPlain ? { game_version, loader, loader_version } : null;
  }
  return null;
}

/** A file inside a modpack, found by `sha1` when it has one, else known by name only. */
export interface Embedded {
  sha1: string | null;
  file_name: string;
}

const embedding =
  /^(overrides\/(mods|resourcepacks|shaderpacks)|client-overrides\/(mods|resourcepacks|shaderpacks)|server-overrides\/(mods|resourcepacks))\/.+\.(jar|zip)$/;

/** Whether an entry of a modpack is an archive in one of its override folders. */
export const isOverride = (entry: string): boolean => embedding.test(entry);

/**
 * Embedded content of a modpack: each listed file by hash and the last part of its URL, then every archive of its
 * override folders by name (`overrides` are the archive's entries). Source: api-v3 §9.3; api-behaviours §17 (22).
 */
export function embeddedOf(index: MrpackIndex, overrides: readonly string[]): Embedded[] {
  const last = (path: string) => path.slice(path.lastIndexOf('/') + 1);
  return [
    ...index.files.map(({ hashes, downloads, path }) => ({
      sha1: hashes.sha1.toLowerCase(),
      file_name: decoded(last(downloads[0] ? new URL(downloads[0]).pathname : path)),
    })),
    ...overrides.filter(isOverride).map((entry) => ({ sha1: null, file_name: last(entry) })),
  ];
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // an invalid percent escape is part of the name
  }
};
