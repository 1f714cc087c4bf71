import { mkdir, open, opendir, rmdir, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { StoredObject } from './storage.ts';

/** Creates `folder` and the file name in it and flushes both; recreates a folder that was pruned in between. */
export async function inFolder(root: string, folder: string, put: () => Promise<void>): Promise<void> {
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
      // another removal deleted the parent: Node reports either error
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

/** Removes `folder` and its parents up to `root` while they are empty. */
export async function prune(root: string, folder: string): Promise<void> {
  for (let at = folder; at.startsWith(`${root}/`); at = dirname(at)) {
    try {
      await rmdir(at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return;
    }
  }
}

const absent = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG']);

/** The object stored in the file at `path`; null when there is none, or it is a folder. */
export async function objectAt(key: string, path: string): Promise<StoredObject | null> {
  try {
    const found = await stat(path, { bigint: true });
    if (!found.isFile()) return null;
    const etag = `${found.size.toString(16)}-${found.mtimeNs.toString(16)}`;
    return { key, size: Number(found.size), modified: found.mtime, etag };
  } catch (error) {
    if (absent.has((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

/** Walks with one open folder per level and no list in memory; skips what is removed meanwhile. */
export async function* walk(root: string, folder: string): AsyncGenerator<StoredObject> {
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
