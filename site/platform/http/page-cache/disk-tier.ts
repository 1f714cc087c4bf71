import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { LRUCache } from 'lru-cache';
import { type Entry, sizeOf } from './entry.ts';

interface DiskEntry {
  path: string;
  size: number;
  written: Promise<void>;
}

/**
 * Pages for which memory has no room, as files of a folder that belongs to this process. It is impossible to know which
 * events an earlier process missed, so folders of dead processes are removed. The least recently used pages are evicted
 * first.
 */
export function openDiskTier(folder: string, limit_bytes: number, deleted: (id: string) => void) {
  const is_own = join(
    folder,
    String(process.pid),
    createHash('sha256').update(String(Math.random())).digest('hex').slice(0, 8),
  );
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    if (!isRunning(Number(name))) rmSync(join(folder, name), { recursive: true, force: true });
  }
  mkdirSync(is_own, { recursive: true });

  const stored = new LRUCache<string, DiskEntry>({
    maxSize: limit_bytes,
    sizeCalculation: ({ size }) => size,
    dispose: ({ path, written }, id, reason) => {
      void written.then(() => rm(path, { force: true }));
      if (reason === 'evict') deleted(id);
    },
  });
  let number = 0;

  return {
    put(id: string, entry: Entry): void {
      number += 1;
      const path = join(is_own, String(number));
      // on a full disk the page is not stored
      const written = writeFile(path, serialize(entry)).catch(() => {
        stored.delete(id);
      });
      stored.set(id, { path, size: sizeOf(entry), written });
    },
    /** Takes the page out of this tier; null when it is not here or was invalidated while it was read. */
    async load(id: string): Promise<Entry | null> {
      const one = stored.get(id);
      if (!one) return null;
      await one.written;
      const bytes = await readFile(one.path).catch(() => null);
      if (stored.get(id) !== one) return null;
      stored.delete(id);
      return bytes && (deserialize(bytes) as Entry);
    },
    has: (id: string): boolean => stored.has(id),
    drop: (id: string): void => void stored.delete(id),
    clear: (): void => stored.clear(),
    bytes: (): number => stored.calculatedSize,
    close: (): void => rmSync(is_own, { recursive: true, force: true }),
  };
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
