import type { Db } from '../postgres/sql.ts';

/**
 * The column `role` of a user `u`: what the account may use of its role now, which for staff depends on a second factor. Everybody
 * else has none, and is not asked for more.
 */
export const roleNow = (db: Db) =>
  db`case when u.role = 'developer' then u.role else usable_role(u) end as role`;
