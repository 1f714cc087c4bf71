import type { OpenDirOptions } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { nameOfBytes } from '#db/platform/files/raw-names/rules.ts';
import { type EntryType, type Folder, typeOf } from './folder.ts';

/**
 * How many entries of a folder are looked at: a server may make millions of files, and all servers of the node share this
 * process.
 */
export const max_looked_at = 20_000;

/** Names as bytes: decoded by Node, two that are no UTF-8 could become one that does not exist. */
const as_bytes = { bufferSize: 256, encoding: 'buffer' } as unknown as OpenDirOptions;

/** Everything in a folder, in the order of the system; the only way that names get from the disk into this process. */
export async function* entriesIn(
  folder: Pick<Folder, 'path'>,
): AsyncGenerator<{ name: string; type: EntryType }> {
  for await (const one of await opendir(folder.path, as_bytes))
    yield { name: nameOfBytes(one.name as unknown as Buffer), type: typeOf(one) };
}

/** The names in a folder, the first `most` that the system gives. */
export async function namesIn(folder: Pick<Folder, 'path'>, most = max_looked_at): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of entriesIn(folder)) {
    names.push(name);
    if (names.length >= most) break;
  }
  return names;
}
