import { randomUUID } from 'node:crypto';
import { constants, createReadStream, mkdirSync } from 'node:fs';
import { access, link, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { inFolder, objectAt, prune, walk } from './disk-folders.ts';
import { appendOnDisk, DiskStagedFile, removeOlder, stageOnDisk } from './disk-staged.ts';
import { assertSpace, mapDiskFull } from './reserve.ts';
import { isStorageKey, ObjectExists, type Space, type Storage } from './storage.ts';

interface Options {
  /** Reports the free space of the disk. */
  space?: () => Promise<Space>;
}

/**
 * Storage in plain files: an object is at `${dataDir}/objects/<key>`, staged uploads in `${dataDir}/tmp`, the
 * installation id in `${dataDir}/installation-id`. Source: design §3.5.
 */
export function diskStorage(dataDir: string, { space = () => spaceOf(dataDir) }: Options = {}): Storage {
  const root = join(dataDir, 'objects');
  const tmp = join(dataDir, 'tmp');
  const idFile = join(dataDir, 'installation-id');
  mkdirSync(root, { recursive: true });
  mkdirSync(tmp, { recursive: true });

  const pathOf = (key: string): string => {
    if (!isStorageKey(key)) throw new Error(`Not a storage key: ${JSON.stringify(key)}`);
    return join(root, key);
  };
  const partialPath = (id: string): string => {
    if (!/^[0-9A-Za-z]{1,32}$/.test(id))
      throw new Error(`Not the id of a staged file: ${JSON.stringify(id)}`);
    return join(tmp, `partial-${id}`);
  };
  const folderOf = (prefix: string): string => {
    const key = prefix.replace(/\/$/, '');
    return key === 'data' || key === 'trash' ? join(root, key) : pathOf(key);
  };
  /** Writes small files next to the objects and renames them, so that a crash never leaves a partial file. */
  const replace = async (bytes: Uint8Array | string, put: (path: string) => Promise<void>) => {
    const path = join(tmp, randomUUID());
    try {
      await mapDiskFull(async () => {
        await writeFile(path, bytes, { flush: true });
        await put(path);
      });
    } finally {
      await rm(path, { force: true });
    }
  };

  return {
    stage: (chunks) => stageOnDisk(tmp, space, chunks),
    async appendPartial(id, position, chunks) {
      return await appendOnDisk(partialPath(id), position, space, chunks);
    },
    async partial(id) {
      const path = partialPath(id);
      const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      });
      return found && new DiskStagedFile(path, found.size);
    },
    async put(key, file) {
      const target = pathOf(key);
      if (!(file instanceof DiskStagedFile)) throw new Error('This file was staged by another storage');
      // not of `target`, which another upload may replace, and not after the link, when another may discard the staged file
      const object = await objectAt(key, file.path);
      try {
        await mapDiskFull(() => inFolder(root, dirname(target), () => link(file.path, target)));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new ObjectExists(key);
        throw error;
      }
      return object!; // without one the link failed
    },
    async putBytes(key, bytes) {
      const target = pathOf(key);
      assertSpace(await space(), bytes.length);
      await replace(bytes, (path) => inFolder(root, dirname(target), () => rename(path, target)));
      return (await objectAt(key, target))!;
    },
    async head(key) {
      return await objectAt(key, pathOf(key));
    },
    async read(key, range) {
      const path = pathOf(key);
      if (!(await objectAt(key, path))) return null;
      return await opened(createReadStream(path, { highWaterMark: 256 * 1024, ...range }));
    },
    async move(from, to) {
      const [source, target] = [pathOf(from), pathOf(to)];
      if (!(await objectAt(from, source))) return false;
      try {
        await inFolder(root, dirname(target), () => rename(source, target));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false; // removed meanwhile
        throw error;
      }
      await prune(root, dirname(source));
      return true;
    },
    async remove(key) {
      const path = pathOf(key);
      await rm(path, { force: true });
      await prune(root, dirname(path));
    },
    async removeAll(prefix) {
      const path = pathOf(prefix.replace(/\/$/, '')); // never all of data/
      await rm(path, { recursive: true, force: true });
      await prune(root, dirname(path));
    },
    list: (prefix) => walk(root, folderOf(prefix)),
    removeStaged: (before, { dry_run = false } = {}) => removeOlder(tmp, before, dry_run),
    space,
    isWritable: () =>
      access(tmp, constants.W_OK).then(
        () => true,
        () => false,
      ),
    readInstallationId: () =>
      readFile(idFile, 'utf8').then(
        (text) => text.trim() || null,
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return null;
          throw error;
        },
      ),
    writeInstallationId: (id) => replace(`${id}\n`, (path) => rename(path, idFile)),
  };
}

async function spaceOf(folder: string): Promise<Space> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free_bytes: bavail * bsize, total_bytes: blocks * bsize };
}

const opened = (stream: Readable): Promise<Readable | null> =>
  new Promise((resolve, reject) => {
    stream.once('open', () => resolve(stream));
    stream.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' ? resolve(null) : reject(error),
    );
  });
