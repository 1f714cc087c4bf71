import { Refused } from '../../platform/errors.ts';
import type { Db } from '../../platform/postgres/sql.ts';

const buckets = 512;

/**
 * Refuses `file_duplicate` when one of the files already belongs to a version of another project. Uploads of the same
 * content wait here, in a fixed lock order, until the first one has committed. Hashes share a bounded number of locks,
 * since one upload may contain thousands of files. Source: api-behaviours §6.
 */
export async function refuseDuplicates(
  tx: Db,
  project_id: string,
  files: ReadonlyArray<{ filename: string; sha1: string }>,
): Promise<void> {
  const hashes = files.map(({ sha1 }) => sha1);
  const keys = [...new Set(hashes.map((sha1) => Number.parseInt(sha1.slice(0, 4), 16) % buckets))].sort(
    (a, b) => a - b,
  );
  for (const key of keys) await tx`select pg_advisory_xact_lock(hashtext('cairn.files'), ${key}::int)`;
  const [existing] = await tx<Array<{ sha1: string }>>`
    select f.sha1 from files f join versions v on v.id = f.version_id
    where f.sha1 = any(${hashes}) and v.project_id <> ${project_id}
    limit 1`;
  if (!existing) return;
  throw new Refused('file_duplicate', {
    filename: files.find(({ sha1 }) => sha1 === existing.sha1)!.filename,
  });
}
