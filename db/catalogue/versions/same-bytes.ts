import { Refused } from '../../platform/errors.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { freeNumbers } from './free-number.ts';

/** A number, and a name of a file, that were public come back only with the bytes that they had (migration 0317). */

/** A file that is to be under a number. */
interface NumberedFile {
  filename: string;
  sha512: string;
  primary: boolean;
}

/**
 * Refuses `version_number_used`, with free numbers, when versions of the project that were public gave up this number, and
 * these files are not the same: a name that was there has other bytes, or the primary file is none of theirs. The caller holds
 * the project's lock.
 */
export async function refuseOtherBytes(
  tx: Db,
  project_id: string,
  version_number: string,
  files: readonly NumberedFile[],
): Promise<void> {
  const kept = await tx<Array<{ filename: string; sha512: string; is_primary: boolean }>>`
    select distinct filename, sha512, is_primary from withdrawn_files
    where project_id = ${project_id} and version_number = ${version_number}`;
  const primaries = kept.filter(({ is_primary }) => is_primary);
  const isOther = (file: NumberedFile) =>
    hasOtherBytes(file, kept) ||
    (file.primary && primaries.length > 0 && !primaries.some(({ sha512 }) => sha512 === file.sha512));
  if (!files.some(isOther)) return;
  const used = await tx<Array<{ version_number: string }>>`
    select version_number from versions where project_id = ${project_id}
    union select version_number from withdrawn_files where project_id = ${project_id}`;
  const free = freeNumbers(version_number, new Set(used.map((row) => row.version_number)));
  throw new Refused('version_number_used', { version_number, free: free.join(', ') });
}

/**
 * Refuses `file_name_used` when a file of this name was public in the version, or under its number, and had other bytes: its
 * address lasts in caches. The caller holds the project's lock.
 */
export async function refuseReplacedFiles(
  tx: Db,
  version: { id: string; project_id: string; version_number: string },
  files: ReadonlyArray<{ filename: string; sha512: string }>,
): Promise<void> {
  const kept = await tx<Array<{ filename: string; sha512: string }>>`
    select filename, sha512 from withdrawn_files
    where filename = any(${files.map(({ filename }) => filename)}::text[])
      and (version_id = ${version.id}
        or project_id = ${version.project_id} and version_number = ${version.version_number})`;
  const other = files.find((file) => hasOtherBytes(file, kept));
  if (other) throw new Refused('file_name_used', { filename: other.filename });
}

const hasOtherBytes = (
  { filename, sha512 }: { filename: string; sha512: string },
  kept: ReadonlyArray<{ filename: string; sha512: string }>,
): boolean => {
  const same = kept.filter((file) => file.filename === filename);
  return same.length > 0 && !same.some((file) => file.sha512 === sha512);
};
