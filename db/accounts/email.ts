import type { Db } from '../sql.ts';

/** The address of an account. */
export interface AccountEmail {
  email: string | null;
  email_verified: boolean;
  /** Since when its mail server refuses mails for it (RFC 3339); null while it takes them. */
  email_refused: string | null;
}

/** The address of a user. */
export async function emailOf(db: Db, user_id: string): Promise<AccountEmail> {
  const [row] = await db<[AccountEmail]>`
    select email, email_verified, email_refused from users where id = ${user_id}`;
  return row;
}
