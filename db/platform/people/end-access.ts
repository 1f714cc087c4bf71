import type { Db } from '../postgres/sql.ts';
import type { EndedAccess } from './rules.ts';

interface Ending {
  user_id: string;
  /** The public id of the session that stays: the one in which its owner does this. */
  keep?: string | undefined;
  /**
   * Passkeys, second factors and linked accounts end as well: where the address of the account was never verified, somebody
   * else may have made it and left a way in.
   */
  with_ways?: boolean;
}

/**
 * Ends every access to an account but its password: sessions, tokens, authorized apps, passwords and keys of SFTP. The only
 * function that does so, for whatever makes what was given out before doubtful. A new kind of credential is added here.
 */
export async function endAccess(tx: Db, { user_id, keep, with_ways = false }: Ending): Promise<EndedAccess> {
  const sessions = await tx`
    delete from sessions where user_id = ${user_id} and public_id is distinct from ${keep ?? null}`;
  const tokens = await tx`delete from tokens where user_id = ${user_id}`;
  const apps = await tx`delete from oauth_authorizations where user_id = ${user_id}`;
  const passwords = await tx`delete from sftp_passwords where user_id = ${user_id}`;
  const keys = await tx`delete from sftp_keys where user_id = ${user_id}`;
  return {
    ...{ sessions: sessions.count, tokens: tokens.count, apps: apps.count },
    sftp: passwords.count + keys.count,
    ways: with_ways ? await endWays(tx, user_id) : 0,
  };
}

async function endWays(tx: Db, user_id: string): Promise<number> {
  const passkeys = await tx`delete from passkeys where user_id = ${user_id}`;
  const factors = await tx`delete from two_factor where user_id = ${user_id}`;
  await tx`delete from backup_codes where user_id = ${user_id}`;
  const linked = await tx`delete from linked_accounts where user_id = ${user_id}`;
  return passkeys.count + factors.count + linked.count;
}
