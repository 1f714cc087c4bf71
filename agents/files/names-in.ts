import { opendir } from 'node:fs/promises';
import type { Folder } from './folder.ts';

/**
 * How many entries of a folder are looked at: a server may make millions of files, and all servers of the node share this
 * process.
 */
export const max_looked_at = 20_000;

/** The names in a folder, the first `most` that the system gives. */
export async function namesIn(folder: Pick<Folder, 'path'>, most = max_looked_at): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of await opendir(folder.path, { bufferSize: 512 })) {
    names.push(name);
    if (names.length >= most) break;
  }
  return names;
}
