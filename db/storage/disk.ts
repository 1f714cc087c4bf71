import { randomUUID } from 'node:crypto';
import { createReadStream, mkdirSync } from 'node:fs';
import { link, mkdir, open, opendir, rename, rm, rmdir, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Readable } from 'node:stream';
import { Refused } from '../errors.ts';
import type { Storage, StoredObject } from './storage.ts';

const segment = /^(?!\.{1,2}$)[^/\\\0]{1,255}$/;

/**
 * Storage in plain files: an object lies at `${dataDir}/objects/<key>`, arriving uploads in `${dataDir}/tmp`.
 * Keys start with `data/`; one that could leave the folder is a bug of the caller and throws.
 * Refuses `storage_full` when the disk is full, leaving nothing behind. Source: design, Conventions (Storage).
 */
export function diskStorage(dataDir: string): Storage {
  const root = join(dataDir, 'objects');
  const tmp = join(dataDir, 'tmp');
  mkdirSync(root, { recursive: true });
  mkdirSync(tmp, { recursive: true });

  const pathOf = (key: string): string => {
    const parts = key.split('/');
    const safe = parts.length > 1 && parts[0] === 'data' && parts.every((part) => segment.test(part));
    if (!safe || Buffer.byteLength(key) > 2048) throw new Error(`Not a storage key: ${JSON.stringify(key)}`);
    return join(root, key);
  };
  const folderOf = (prefix: string): string => {
    const key = prefix.replace(/\/$/, '');
    return key === 'data' ? join(root, 'data') : pathOf(key);
  };

  return {
    root,
    tmp,
    async putFile(key, path) {
      const target = pathOf(key);
      await whole(async () => {
        await sync(path);
        await inFolder(root, dirname(target), () => link(path, target));
        await unlink(path);
      });
    },
    async putBytes(key, bytes) {
      const target = pathOf(key);
      const path = join(tmp, randomUUID());
      try {
        await whole(async () => {
          await writeFile(path, bytes, { flush: true });
          await inFolder(root, dirname(target), () => rename(path, target));
        });
      } finally {
        await rm(path, { force: true });
      }
    },
    async head(key) {
      return await objectAt(key, pathOf(key));
    },
    async read(key, range) {
      const path = pathOf(key);
      if (!(await objectAt(key, path))) return null;
      return await opened(createReadStream(path, range ?? {}));
    },
    async remove(key) {
      const path = pathOf(key);
      await rm(path, { force: true });
      await prune(root, dirname(path));
    },
    async removeAll(prefix) {
      const path = pathOf(prefix.replace(/\/$/, '')); // never the whole of data/
      await rm(path, { recursive: true, force: true });
      await prune(root, dirname(path));
    },
    list: (prefix) => walk(root, folderOf(prefix)),
  };
}

/** Runs `work`; a full disk or an exhausted quota becomes the refusal people understand. */
export async function whole<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EDQUOT') throw new Refused('storage_full');
    throw error;
  }
}

/** Makes `folder`, puts the name into it and makes both durable; a folder pruned in between is made again. */
async function inFolder(root: string, folder: string, put: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      const first = await mkdir(folder, { recursive: true });
      await put();
      const top = first ? dirname(first) : folder;
      for (let at = folder; at.startsWith(root); at = dirname(at)) {
        await sync(at);
        if (at === top) break;
      }
      return;
    } catch (error) {
      // a parent that another removal takes meanwhile: Node says either
      if (vanished.has((error as NodeJS.ErrnoException).code ?? '') && attempt < 5) continue;
      await prune(root, folder);
      throw error;
    }
  }
}

const vanished = new Set(['ENOENT', 'ENOTDIR']);

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Removes `folder` and its parents up to `root` as far as they are empty. */
async function prune(root: string, folder: string): Promise<void> {
  for (let at = folder; at.startsWith(`${root}/`); at = dirname(at)) {
    try {
      await rmdir(at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return;
    }
  }
}

const absent = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG']);

async function objectAt(key: string, path: string): Promise<StoredObject | null> {
  try {
    const found = await stat(path);
    return found.isFile() ? { key, size: found.size, modified: found.mtime } : null;
  } catch (error) {
    if (absent.has((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

const opened = (stream: Readable): Promise<Readable | null> =>
  new Promise((resolve, reject) => {
    stream.once('open', () => resolve(stream));
    stream.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' ? resolve(null) : reject(error),
    );
  });

/** One folder handle a level and no list in memory; what vanishes meanwhile is left out. */
async function* walk(root: string, folder: string): AsyncGenerator<StoredObject> {
  const entries = await opendir(folder).catch((error: NodeJS.ErrnoException) => {
    if (absent.has(error.code ?? '')) return null;
    throw error;
  });
  for await (const entry of entries ?? []) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(root, path);
    else {
      const object = await objectAt(relative(root, path), path);
      if (object) yield object;
    }
  }
}
