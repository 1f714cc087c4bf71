import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { Folder } from '../files/folder.ts';
import { unless } from '../files/folder.ts';
import { Slots } from '../files/slots.ts';

/** Hashes that are remembered, of all servers: about 300 bytes each. */
const max_remembered = 20_000;
const read_bytes = 256 * 1024;
/** Files that are read at once. */
const at_once = 4;

const remembered = new Map<string, string>();
const running = new Map<string, Promise<string | null>>();
const slots = new Slots(at_once, 100_000);

/** Changes whenever the content of a file does; the time of its last change of any kind cannot be set by programs. */
export const identityOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  `${dev}-${ino}-${size}-${mtimeNs}-${ctimeNs}`;

/**
 * SHA-512 of the file `name` of `folder`, which had that identity when it was listed; null when it is none by now. A file is
 * read once, however many ask for it, and again only when it changed.
 */
export async function hashOf(folder: Folder, name: string, identity: string): Promise<string | null> {
  const known = remembered.get(identity);
  if (known !== undefined) {
    // the one that was not asked for longest goes first
    remembered.delete(identity);
    remembered.set(identity, known);
    return known;
  }
  const reading =
    running.get(identity) ?? slots.run(() => read(folder, name)).finally(() => running.delete(identity));
  running.set(identity, reading);
  return await reading;
}

async function read(folder: Folder, name: string): Promise<string | null> {
  const handle = await folder
    .file(name)
    .catch(unless('ENOENT', 'ELOOP', 'file_not_regular', 'file_is_directory'));
  if (!handle) return null;
  try {
    const before = identityOf(await handle.stat({ bigint: true }));
    const sha512 = await hashFile(handle);
    // what is written meanwhile is not remembered
    if (identityOf(await handle.stat({ bigint: true })) === before) remember(before, sha512);
    return sha512;
  } finally {
    await handle.close();
  }
}

async function hashFile(handle: FileHandle): Promise<string> {
  const hash = createHash('sha512');
  const buffer = Buffer.allocUnsafe(read_bytes);
  for (let at = 0; ; ) {
    const { bytesRead } = await handle.read(buffer, 0, read_bytes, at);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
}

function remember(identity: string, sha512: string): void {
  remembered.set(identity, sha512);
  if (remembered.size <= max_remembered) return;
  const [oldest] = remembered.keys();
  if (oldest !== undefined) remembered.delete(oldest);
}
