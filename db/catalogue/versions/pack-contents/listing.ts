import { LRUCache } from 'lru-cache';
import type { ArchiveView } from '../../../platform/files/archive-view.ts';
import { isOverride, type MrpackIndex } from '../../../platform/files/mrpack.ts';
import { readModpackIndexAside } from '../../../platform/files/mrpack-aside.ts';
import { withArchive } from '../../../platform/files/zip.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import { storedSource } from '../../../platform/storage/stored-source.ts';

/** Whether a side needs a file: `required`, `optional`, `unsupported` or `unknown`; null when the pack does not say. */
type PackSide = string | null;

/** A file that a modpack puts into the folder of the game. */
export interface PackFile {
  /** In the folder of the game; of what only the record names, the name of the file. */
  path: string;
  /** Null when it is not known. */
  bytes: number | null;
  /** Hex, in lower case; null for what is in the archive itself. */
  sha1: string | null;
  client: PackSide;
  server: PackSide;
  /** Whether the archive holds it, in an overrides folder. */
  is_override: boolean;
}

/** What the archive of a modpack says is in the pack. */
export interface PackListing {
  files: PackFile[];
  /** Files that `files` leaves out, because there are too many. */
  more: number;
  /** All files of the overrides folders, and their unpacked bytes. */
  overrides: { count: number; bytes: number };
}

/** Most files of one modpack that are listed. */
const max_files = 2_000;
/** Listings of all modpacks that are kept, by their files: some 20 MB. */
const max_kept_files = 40_000;

/** Where the archive of a modpack is stored. Its bytes never change. */
interface PackArchive {
  key: string;
  filename: string;
}
type Reads = Pick<Storage, 'head' | 'read'>;

const kept = new LRUCache<string, PackListing, { storage: Reads; archive: PackArchive }>({
  max: 500,
  maxSize: max_kept_files,
  sizeCalculation: ({ files }) => files.length + 1,
  fetchMethod: async (_key, _stale, { context: { storage, archive } }) => await read(storage, archive),
});

/**
 * What is in a stored modpack: its directory and its index are read, once while they are kept. Null for an archive without a
 * valid index. Refuses `not_found` when it is not stored, and what `withArchive` and `aside` refuse.
 */
export async function packListing(storage: Reads, archive: PackArchive): Promise<PackListing | null> {
  const found = await kept.fetch(archive.key, { context: { storage, archive } });
  return found && found !== unreadable ? found : null;
}

/** Kept for an archive without a valid index, so that it is not opened again. */
const unreadable: PackListing = { files: [], more: 0, overrides: { count: 0, bytes: 0 } };

async function read(storage: Reads, { key, filename }: PackArchive): Promise<PackListing> {
  const content = storedSource(storage, key);
  return await withArchive({ content, filename, verified: false }, async (archive) => {
    const index = await readModpackIndexAside(archive, null);
    return !index || 'code' in index ? unreadable : listingOf(index, archive);
  });
}

const overrides_folder = /^(?:client-|server-)?overrides\/(?=.*[^/]$)/;

/** What an index and the overrides beside it bring: the listed files, then the archives among the overrides. */
function listingOf(
  index: Pick<MrpackIndex, 'files'>,
  { names, size }: Pick<ArchiveView, 'names'> & { size(name: string): number },
): PackListing {
  const overrides = names.filter((name) => overrides_folder.test(name));
  const listed = index.files.map(
    ({ path, hashes, env, fileSize }): PackFile => ({
      path,
      bytes: fileSize,
      sha1: hashes.sha1.toLowerCase(),
      client: env?.client ?? null,
      server: env?.server ?? null,
      is_override: false,
    }),
  );
  const inside = overrides.filter(isOverride).map(
    (name): PackFile => ({
      path: name.replace(overrides_folder, ''),
      bytes: size(name),
      sha1: null,
      client: name.startsWith('server-') ? 'unsupported' : null,
      server: name.startsWith('client-') ? 'unsupported' : null,
      is_override: true,
    }),
  );
  const files = [...listed, ...inside];
  return {
    files: files.slice(0, max_files),
    more: Math.max(0, files.length - max_files),
    overrides: { count: overrides.length, bytes: overrides.reduce((sum, name) => sum + size(name), 0) },
  };
}
