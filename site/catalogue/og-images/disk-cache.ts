import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';

/**
 * Rendered images as files of one folder, named by content, at most `limit_bytes` in total: the least recently used are
 * evicted first. Files of an earlier run are reused; several processes may share the folder.
 */
export async function openDiskCache(folder: string, limit_bytes: number) {
  await mkdir(folder, { recursive: true });
  const pathOf = (name: string) => join(folder, `${name}.png`);
  const sizes = new LRUCache<string, number>({
    maxSize: limit_bytes,
    sizeCalculation: (bytes) => Math.max(1, bytes),
    dispose: (_bytes, name, reason) => {
      if (reason === 'evict') void rm(pathOf(name), { force: true });
    },
  });
  const found: Array<{ name: string; bytes: number; at: number }> = [];
  for (const file of await readdir(folder)) {
    const about = await stat(join(folder, file)).catch(() => null);
    const name = /^([0-9a-f]{64})\.png$/.exec(file)?.[1];
    if (about && name) found.push({ name, bytes: about.size, at: about.mtimeMs });
    else if (about && Date.now() - about.mtimeMs > 60_000) await rm(join(folder, file), { force: true });
  }
  for (const { name, bytes } of found.sort((a, b) => a.at - b.at)) sizes.set(name, bytes);

  return {
    async get(name: string): Promise<Buffer | null> {
      const bytes = await readFile(pathOf(name)).catch(() => null);
      if (bytes && sizes.get(name) === undefined) sizes.set(name, bytes.length); // another process wrote it
      return bytes;
    },
    /** On a full disk nothing is cached. */
    async put(name: string, bytes: Buffer): Promise<void> {
      const made = join(folder, `${randomUUID()}.part`);
      try {
        await writeFile(made, bytes);
        await rename(made, pathOf(name));
        sizes.set(name, bytes.length);
      } catch {
        await rm(made, { force: true });
      }
    },
    stats: () => ({ pictures: sizes.size, bytes: sizes.calculatedSize }),
  };
}
