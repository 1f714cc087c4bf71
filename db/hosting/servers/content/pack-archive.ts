import { Refused } from '../../../platform/errors.ts';
import { allowedHosts } from '../../../platform/files/archive.ts';
import { type MrpackIndex, packLoaderOf } from '../../../platform/files/mrpack.ts';
import { readModpackIndexAside } from '../../../platform/files/mrpack-aside.ts';
import { withArchive } from '../../../platform/files/zip.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import { storedSource } from '../../../platform/storage/stored-source.ts';
import type { MediaSettings } from '../../../platform/storage/url.ts';
import { parsePath } from '../files/rules.ts';
import { type CatalogueVersion, versionsByHash } from './catalogue.ts';
import type { LoaderSpec } from './change-work.ts';

/** What reading modpacks needs. */
export interface PackContext {
  settings: MediaSettings;
  storage: Pick<Storage, 'head' | 'read'>;
  actor: Actor | null;
}

/** A file that the index of a modpack names. */
export interface PackFile {
  path: string;
  sha512: string;
  bytes: number;
  /** It is not for servers. */
  client_only: boolean;
  /** Where it may be fetched from; used for files that are not in the storage. */
  urls: string[];
  /** What the catalogue knows of it. */
  known: CatalogueVersion | null;
}

/** What a version of a modpack brings. */
export interface Pack {
  version: CatalogueVersion;
  /** What its servers have to be; null when it does not say. */
  loader: LoaderSpec | null;
  files: PackFile[];
  /** Bytes of each file for servers in its archive, by path. */
  overrides: Map<string, number>;
  /** Folders of the archive that hold them, in the order in which they are unpacked. */
  folders: string[];
}

/** Folders of a modpack that are unpacked on servers. Source: api-v3 §9.3. */
const serverFolders = ['overrides', 'server-overrides'];
/** Most files that are read of an index, and of an archive. */
const max_files = 5_000;
const max_urls = 5;

/**
 * Reads a version of a modpack out of the storage, once, and finds its files in the catalogue by their hashes (one statement).
 * Refuses `pack_not_modpack`, the rule that its index violates, what is wrong with its archive, `pack_too_many_files`, and `not_found`
 * when it is not stored.
 */
export async function openPack(db: Db, context: PackContext, version: CatalogueVersion): Promise<Pack> {
  const { file, loaders } = version;
  if (!file || !loaders.includes('mrpack')) {
    const { project, version: ref } = version;
    throw new Refused('pack_not_modpack', { title: project.title, version: ref.version_number });
  }
  const { filename, key } = file;
  const hosts = allowedHosts(context.settings);
  const content = storedSource(context.storage, key);
  const read = await withArchive({ content, filename, verified: false }, async (archive) => {
    const index = await readModpackIndexAside(archive, hosts);
    if (!index) throw new Refused('mrpack_index_missing', { filename });
    if ('code' in index) throw new Refused(index.code, { filename, ...index.data });
    return { index, ...overridesOf(archive, filename) };
  });
  const { index, overrides, folders } = read;
  const files = filesOf(index, filename);
  const hashes = files.map(({ sha512 }) => sha512);
  const found = await versionsByHash(db, context.settings, hashes, context.actor);
  return {
    ...{ version, overrides, folders },
    loader: loaderOf(index, filename),
    files: files.map((one) => ({ ...one, known: found.get(one.sha512)?.[0] ?? null })),
  };
}

/** A path that may be written on a server. Refuses `mrpack_path_unsafe`. */
function assertSafe(path: string, filename: string): void {
  if (!parsePath(path, 'fresh').names || path.startsWith('/'))
    throw new Refused('mrpack_path_unsafe', { filename, path });
}

function overridesOf(
  archive: { names: readonly string[]; size(name: string): number },
  filename: string,
): Pick<Pack, 'overrides' | 'folders'> {
  const overrides = new Map<string, number>();
  const folders = serverFolders.filter((folder) => {
    const start = `${folder}/`;
    const entries = archive.names.filter((name) => name.startsWith(start) && !name.endsWith('/'));
    for (const name of entries) {
      const path = name.slice(start.length);
      assertSafe(path, filename);
      overrides.set(path, archive.size(name));
    }
    return entries.length > 0;
  });
  assertCount(overrides.size);
  return { overrides, folders };
}

const assertCount = (count: number): void => {
  if (count > max_files) throw new Refused('pack_too_many_files', { count, most: max_files });
};

function filesOf(index: MrpackIndex, filename: string): Omit<PackFile, 'known'>[] {
  assertCount(index.files.length);
  const files = new Map<string, Omit<PackFile, 'known'>>();
  for (const { path, hashes, env, downloads, fileSize } of index.files) {
    assertSafe(path, filename);
    const sha512 = hashes.sha512.toLowerCase();
    if (!/^[0-9a-f]{128}$/.test(sha512)) throw new Refused('mrpack_hash_missing', { filename, path });
    const client_only = env?.server === 'unsupported';
    files.set(path, { path, sha512, bytes: fileSize, client_only, urls: downloads.slice(0, max_urls) });
  }
  return [...files.values()];
}

function loaderOf(index: MrpackIndex, filename: string): LoaderSpec | null {
  const { minecraft, ...others } = index.dependencies;
  if (minecraft === undefined) return null;
  const isVanilla = Object.keys(others).length === 0;
  const loader = isVanilla
    ? { game_version: minecraft, loader: null, loader_version: null }
    : packLoaderOf(index);
  if (loader) return loader;
  const field = 'dependencies';
  throw new Refused('mrpack_index_malformed', {
    filename,
    field,
    expected: 'one version of the game and its loader',
  });
}
