import { assertAllAllowed } from '../assert-all-allowed.ts';
import { assertAllowed, type RefusalCode, Refused } from '../errors.ts';
import { recordEvent } from '../events/write.ts';
import { newId } from '../id.ts';
import { isKept } from '../names/kept.ts';
import type { Db } from '../postgres/sql.ts';
import { storedEmail, storedForms } from './email-address.ts';
import { type NetworksBefore, networksBefore } from './known-networks.ts';
import { whyNotLookAlike } from './look-alike.ts';
import { hashPassword, verifyPassword, whyNotPassword } from './password.ts';
import { type Role, whyNotEmail, whyNotUsername } from './rules.ts';
import type { Suspension } from './suspended.ts';

export interface NewUser {
  username: string;
  email: string;
  password: string;
  role?: Role;
  /** What else a password should not be built from (`contextWords`). */
  words?: readonly string[];
  now: Date;
}

/** A validated new user with a hashed password: slow work that must not happen inside a transaction. */
export interface PreparedUser {
  username: string;
  /** Null without an address. */
  email: string | null;
  /** Null for somebody who signs in otherwise. */
  password_hash: string | null;
  role: Role;
  created: Date;
}

/** All reasons why this user is invalid. The strength of the password is estimated aside: refuses as `ratePassword`. */
export async function whyNotNewUser({
  username,
  email,
  password,
  words = [],
}: Pick<NewUser, 'username' | 'email' | 'password' | 'words'>): Promise<RefusalCode[]> {
  const own_words = [username, email, ...words];
  const strength = await whyNotPassword(password, own_words);
  const reasons = [whyNotUsername(username), whyNotEmail(storedEmail(email)), strength];
  return reasons.filter((code) => code !== null);
}

/**
 * Validates a new user and hashes the password. Refuses `username_malformed`, `email_malformed`, `password_length`,
 * `password_breached`, `password_weak`, together with what the caller found, which is said before (`first`) and after (`last`) it: the strength of a password is
 * estimated once. Source: api-v3 §4 (POST create); decisions §1.5.
 */
export async function prepareUser(
  { words = [], ...user }: NewUser,
  first: ReadonlyArray<RefusalCode | null> = [],
  last: ReadonlyArray<RefusalCode | null> = [],
): Promise<PreparedUser> {
  assertAllAllowed([...first, ...(await whyNotNewUser({ ...user, words })), ...last]);
  return await hashedUser(user);
}

/** Hashes the password of a new user who passed `whyNotNewUser`. */
export const hashedUser = async ({
  username,
  email,
  password,
  role = 'developer',
  now,
}: Omit<NewUser, 'words'>): Promise<PreparedUser> => ({
  ...{ username, email: storedEmail(email), role, created: now },
  password_hash: await hashPassword(password),
});

/**
 * Why a new account cannot have this name and address, or null: `username_taken` (also when the name equals an id, or is
 * kept for an account that had it),
 * `email_taken`, both case-insensitively, `username_confusable`. Source: api-behaviours §12.
 */
export async function whyNotNameTaken(
  db: Db,
  { username, email }: { username: string; email: string | null },
): Promise<RefusalCode | null> {
  // no account has what Postgres cannot store
  if (`${username}${email}`.includes('\0') || !`${username}${email}`.isWellFormed()) return null;
  const [conflict] = await db<Array<{ name: boolean }>>`
    select username = ${username}::text::citext or lower(id) = lower(${username}) as name from users
    where username = ${username}::text::citext or lower(id) = lower(${username})
      or email = any(${email === null ? [] : storedForms(email)}::text[]::citext[])
    limit 1`;
  if (conflict) return conflict.name ? 'username_taken' : 'email_taken';
  if (await isKept(db, { kind: 'user', name: username }, null)) return 'username_taken';
  return await whyNotLookAlike(db, username);
}

/** Inserts the prepared user and gives the id. Refuses as `whyNotNameTaken`. */
export async function addUser(db: Db, user: PreparedUser): Promise<string> {
  assertAllowed(await whyNotNameTaken(db, user));
  const id = newId();
  const email = user.email === null ? null : storedEmail(user.email);
  await db`insert into users ${db({ id, ...user, email, email_verified: true })}`;
  await recordEvent(db, { name: 'user.created', actor_id: id, user_id: id });
  return id;
}

/** `prepareUser` and `addUser` in one: for commands and seeds. */
export const createUser = async (db: Db, user: NewUser): Promise<string> =>
  addUser(db, await prepareUser(user));

/** What a sign-in by password needs of an account. */
export interface SignInAccount extends NetworksBefore, Suspension {
  id: string;
  /** Null for somebody who signs in otherwise. */
  password_hash: string | null;
  /** Whether an authenticator app is set up. */
  totp: boolean;
  /** Whether a passkey is asked for after the password. */
  passkey_step: boolean;
}

/**
 * The account with this name or e-mail address in any of its forms (case-insensitive), or null; a name takes precedence. Also gives what is
 * known of the networks it is reached from. One statement that does the same work for unknown names.
 */
export async function accountForSignIn(
  db: Db,
  text: string,
  networks: readonly string[] = [],
): Promise<SignInAccount | null> {
  if (text.includes('\0')) return null; // Postgres rejects it
  const name = text.trim();
  const [row] = await db<[SignInAccount]>`
    with account as (
      select id, password_hash, suspended_until, suspension_reason from users
      where username = ${name}::text::citext or email = any(${storedForms(name)}::text[]::citext[])
      order by username = ${name}::text::citext desc limit 1
    ), wanted as (select coalesce((select id from account)::text, '') as id)
    select a.id, a.password_hash, a.suspended_until, a.suspension_reason,
      coalesce(f.totp_secret is not null, false) as totp, coalesce(f.passkeys, false) as passkey_step,
      n.known, n.is_first
    from wanted w
    left join account a on true
    left join two_factor f on f.user_id = w.id
    cross join lateral (${networksBefore(db, networks)}) n`;
  return row.id === null ? null : row;
}

/**
 * The id of the account, if this is its password. Refuses `invalid_credentials` with the same text and after the same
 * work whether there is no account or the password is wrong.
 */
export async function verifySignIn(account: SignInAccount | null, password: string): Promise<string> {
  const is_correct = await verifyPassword(account?.password_hash ?? null, password.slice(0, 1024));
  if (!account || !is_correct) throw new Refused('invalid_credentials');
  return account.id;
}
