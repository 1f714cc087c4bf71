import { createHash } from 'node:crypto';
import { chmodSync, chownSync, lstatSync, mkdirSync } from 'node:fs';

/** A short name derived from `text`. */
export const shortHash = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 12);

/**
 * The folder for unix sockets: `folder`, or a short path derived from it when it is too long for a socket address
 * (about 100 bytes).
 */
export const socketFolder = (folder: string): string =>
  Buffer.byteLength(folder) > 80 ? `/tmp/cairn-${shortHash(folder)}` : folder;

/** Creates the folder of a socket. Below /tmp it is private; elsewhere an existing folder keeps its mode. */
export function makeSocketFolder(folder: string): void {
  if (/^\/tmp\/cairn-[0-9a-f]{12}$/.test(folder)) makePrivate(folder);
  else mkdirSync(folder, { recursive: true });
}

/**
 * Creates `folder` with access for its owner only, and gives it to the user `owner` if one is named. Refuses anything
 * that exists there unless it is a folder of this user or of `owner`: in /tmp another user could create a guessable
 * name first. This is checked before mode and owner are changed, since both follow links.
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
