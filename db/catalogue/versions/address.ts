import type { Db } from '../../platform/postgres/sql.ts';
import { listedStatuses } from './rules.ts';

type Fragment = ReturnType<Db>;

/**
 * Whether another version comes first by the number of the version `v`: it has this id, or the number since earlier. Then
 * the address of `v` ends in its id. `versionAddress` says the same of versions that are loaded.
 */
export const comesSecond = (db: Db, v: Fragment) => db`
  exists (select from versions o
    where o.project_id = ${v}.project_id and o.status = any(${listedStatuses as string[]}) and o.id <> ${v}.id
      and (o.id = ${v}.version_number or o.version_number = ${v}.version_number
        and (o.date_published, o.id) < (${v}.date_published, ${v}.id)))`;
