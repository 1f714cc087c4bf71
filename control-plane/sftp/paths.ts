import { posix } from 'node:path';
import { name_bytes, path_bytes } from '#db/hosting/servers/files/rules.ts';
import { byteLengthOfName } from '#db/platform/files/raw-names/rules.ts';
import { SftpFailure } from './failure.ts';

/**
 * What a client calls a file, as a path below the server's folder: `''` is the folder itself. `..` ends at the folder, as at
 * the root of a disk; no link is ever followed on the way, so that names alone decide. Throws `SftpFailure`.
 */
export function relativePath(given: string): string {
  if (given.includes('\0')) throw new SftpFailure('failure', 'A path can’t contain a NUL byte.');
  const path = posix.resolve('/', given).slice(1);
  if (byteLengthOfName(path) > path_bytes)
    throw new SftpFailure('failure', `A path can have at most ${path_bytes} bytes.`);
  if (path.split('/').some((name) => byteLengthOfName(name) > name_bytes))
    throw new SftpFailure('failure', `A name can have at most ${name_bytes} bytes.`);
  return path;
}

/** The same path as clients see it. */
export const shownPath = (path: string): string => `/${path}`;
