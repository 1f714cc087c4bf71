import type { Db } from '../../platform/postgres/sql.ts';

/** What protects an account, beside and after its password. */
export interface SignInFactors {
  password: boolean;
  /** Whether an authenticator app is set up. */
  totp: boolean;
  /** Whether a passkey is asked for after the password. */
  passkey_step: boolean;
  passkeys: number;
  /** Sign-in providers that are linked. */
  providers: string[];
  backup_codes: number;
}

/** What protects the account of `user_id`. */
export async function factorsOf(db: Db, user_id: string): Promise<SignInFactors> {
  const [row] = await db<[SignInFactors | undefined]>`
    select u.password_hash is not null as password,
      coalesce(f.totp_secret is not null, false) as totp, coalesce(f.passkeys, false) as passkey_step,
      (select count(*)::int from passkeys p where p.user_id = u.id) as passkeys,
      array(select provider from linked_accounts l where l.user_id = u.id order by provider) as providers,
      (select count(*)::int from backup_codes b where b.user_id = u.id) as backup_codes
    from users u left join two_factor f on f.user_id = u.id where u.id = ${user_id}`;
  return (
    row ?? { password: false, totp: false, passkey_step: false, passkeys: 0, providers: [], backup_codes: 0 }
  );
}
