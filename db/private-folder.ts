import { createHash } from 'node:crypto';
import { chmodSync, chownSync, lstatSync, mkdirSync } from 'node:fs';

/** A short name that belongs to `text` alone. */
export const shortHash = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 12);

/**
 * A folder for unix sockets of an installation: `folder` itself, unless its path is too long for a socket's address
 * (about 100 bytes), then a short one that belongs to it.
 */
export const socketFolder = (folder: string): string =>
  Buffer.byteLength(folder) > 80 ? `/tmp/cairn-${shortHash(folder)}` : folder;

/** Makes the folder of a socket. One below /tmp is private; any other keeps the mode it has. */
export function makeSocketFolder(folder: string): void {
  if (/^\/tmp\/cairn-[0-9a-f]{12}$/.test(folder)) makePrivate(folder);
  else mkdirSync(folder, { recursive: true });
}

/**
 * Makes `folder` one that only its owner may enter, and gives it to the user `owner` where one is named. Refuses what
 * lies there already unless it is a folder of this user or of `owner`: in /tmp another user may have made it under a
 * name that can be guessed. Checked before mode and owner are changed, since both would follow a link.
 */
export function makePrivate(folder: string, owner?: number): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const entry = lstatSync(folder);
  const known = entry.uid === process.getuid?.() || entry.uid === owner;
  if (!entry.isDirectory() || !known)
    throw new Error(
      `${folder} is not a folder of this user: remove it, or choose a DATA_DIR with a shorter path.`,
    );
  chmodSync(folder, 0o700);
  if (owner !== undefined) chownSync(folder, owner, owner);
}
