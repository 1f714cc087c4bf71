import { type PathProblem, parsePath, pathRefusal } from '#db/hosting/servers/files/rules.ts';
import type { RefusalCode } from '#db/platform/errors.ts';

export type ErrorData = Record<string, string | number>;

/** What a person can act on: a code of `db/platform/errors.ts` with its data. */
export class FileError extends Error {
  readonly code: RefusalCode;
  readonly data: ErrorData;

  constructor(code: RefusalCode, data: ErrorData = {}) {
    super(code);
    [this.code, this.data] = [code, data];
  }
}

const codes: Record<string, RefusalCode> = {
  ENOENT: 'file_not_found',
  EEXIST: 'file_exists',
  ENOTEMPTY: 'file_exists',
  ENOTDIR: 'file_not_directory',
  EISDIR: 'file_is_directory',
  // a link at the end, a socket, another file system
  ELOOP: 'file_not_regular',
  ENXIO: 'file_not_regular',
  EXDEV: 'file_not_regular',
  EINVAL: 'file_into_itself',
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
  EMFILE: 'busy',
  ENFILE: 'busy',
};

/** The code of a system's error, such as `ENOENT`. */
export const systemCode = (error: unknown): string | undefined =>
  (error as NodeJS.ErrnoException | null)?.code;

/** `error` as a `FileError` about `path` when it is one of the system that people can act on, else `error` itself. */
function fileErrorOf(error: unknown, path: string): unknown {
  const code = systemCode(error);
  if (code === 'ENAMETOOLONG') return new FileError('file_path_invalid', pathRefusal(path, 'name_long'));
  const known = code === undefined ? undefined : codes[code];
  return known && !(error instanceof FileError) ? new FileError(known, { path: shown(path) }) : error;
}

/** Runs `work`; what the system refuses in it is a `FileError` about `path`. */
export async function about<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw fileErrorOf(error, path);
  }
}

/** A path in messages: of bounded length. */
export const shown = (path: string): string => path.slice(0, 1_000).toWellFormed();

export const invalidPath = (path: string, why: PathProblem): FileError =>
  new FileError('file_path_invalid', pathRefusal(path, why));

/** The names of `path`. Refuses `file_path_invalid`; with `fresh` also names that nobody can read. */
export function namesOf(path: string, fresh?: 'fresh'): string[] {
  const { names, why } = parsePath(path, fresh);
  if (!names) throw invalidPath(path, why);
  return names;
}
