import type { Db } from '../../../platform/postgres/sql.ts';
import { kept_changes } from './rules.ts';

/** Removes changes beyond the newest of each server, and what may not be fetched any more. Gives their number. */
export async function purgeChanges(db: Db, now: Date, limit: number): Promise<number> {
  const { count: changes } = await db`
    delete from server_tasks where id in (
      select id from (
        select id, ended, row_number() over (partition by server_id order by began desc) as place from server_tasks
        where kind = 'change'
      ) numbered where place > ${kept_changes} and ended is not null limit ${limit})`;
  const { count: grants } = await db`
    delete from server_content_grants where hash in (
      select hash from server_content_grants where expires < ${now} limit ${limit})`;
  return changes + grants;
}
