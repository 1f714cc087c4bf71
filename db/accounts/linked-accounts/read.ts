import type { Db } from '../../platform/postgres/sql.ts';

/** An account at a provider that a user signs in with. */
export interface LinkedAccount {
  provider: string;
  issuer: string;
  /** The name there, as far as known. */
  name: string | null;
  created: string;
  last_used: string;
}

/** The linked accounts of a user, by provider. */
export const linkedAccountsOf = async (db: Db, user_id: string): Promise<LinkedAccount[]> =>
  await db<LinkedAccount[]>`
    select provider, issuer, name, created, last_used from linked_accounts
    where user_id = ${user_id} order by provider`;
