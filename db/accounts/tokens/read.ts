import type { Db } from '../../platform/postgres/sql.ts';
import type { PersonalAccessToken } from './shape.ts';

/** How many tokens a user may have. Expired ones count until they are deleted. */
export const max_tokens = 100;

/** The personal access tokens of a user, the newest first, expired ones too; never the tokens themselves. */
export const tokensOf = async (db: Db, user_id: string): Promise<PersonalAccessToken[]> =>
  await db<PersonalAccessToken[]>`
    select id, name, null as access_token, scopes, user_id, created, expires, last_used
    from tokens where user_id = ${user_id} order by created desc, id limit ${max_tokens}`;
