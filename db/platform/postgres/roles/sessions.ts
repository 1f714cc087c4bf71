import type { Db } from '../sql.ts';
import { type DatabaseRole, databaseRoles } from './grants.ts';

/** Whether the connected role is a superuser. */
export async function isSuperuser(db: Db): Promise<boolean> {
  const [row] = await db`select from pg_roles where rolname = current_user and rolsuper`;
  return row !== undefined;
}

/** The connected role when it is that of a process, else null: the owner's. */
export async function processRole(db: Db): Promise<DatabaseRole | null> {
  const [row] = await db<[{ name: string }]>`select current_user as name`;
  return databaseRoles.find((role) => role === row.name) ?? null;
}

/** With which roles site and control planes are connected now, and whether these are superusers. */
export const connectedRoles = async (db: Db): Promise<Array<{ role: string; superuser: boolean }>> =>
  await db<Array<{ role: string; superuser: boolean }>>`
    select distinct r.rolname as role, r.rolsuper as superuser
    from pg_stat_activity a join pg_roles r on r.rolname = a.usename
    where a.datname = current_database() and a.application_name in ('cairn site', 'cairn control plane')
    order by 1`;
