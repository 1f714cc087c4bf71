import { removeUnused } from '../../platform/files/pictures.ts';
import type { RunInTransaction } from '../../platform/files/stored-files.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { Storage } from '../../platform/storage/storage.ts';

/** Removes those of the images that the project does not use: neither as its icon nor in its gallery. */
export const removeOrphanImages = (
  begin: RunInTransaction,
  storage: Storage,
  project_id: string,
  keys: readonly (string | null)[],
): Promise<void> => removeUnused(begin, storage, keys, (tx) => usedImages(tx, project_id));

/** The keys of the images that the project uses, displayed and original ones, with its row locked. */
export async function usedImages(tx: Db, project_id: string): Promise<Array<string | null>> {
  await tx`select 1 from projects where id = ${project_id} for no key update`;
  const rows = await tx<Array<{ key: string | null }>>`
    select unnest(array[icon_key, raw_icon_key]) as key from projects where id = ${project_id}
    union select unnest(array[key, raw_key]) from gallery where project_id = ${project_id}`;
  return rows.map(({ key }) => key);
}
