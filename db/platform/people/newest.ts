import type { Db } from '../postgres/sql.ts';
import { ghostId, type Role } from './rules.ts';

/** The newest `limit` accounts, newest first, for operators. */
export const newestUsers = async (db: Db, limit: number) =>
  await db<Array<{ id: string; username: string; role: Role; created: string }>>`
    select id, username, role, created from users where id <> ${ghostId} order by created desc, id limit ${limit}`;
