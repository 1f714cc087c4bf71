import { Refused } from '../errors.ts';
import type { Db } from '../postgres/sql.ts';
import type { ReadContext } from '../read-context.ts';
import { hashToken } from '../secrets/hash.ts';
import { type MediaSettings, mediaUrlOrNull } from '../storage/url.ts';
import { storedForms } from './email-address.ts';
import type { LastUsed } from './last-used.ts';
import { roleNow } from './role-now.ts';
import { type Actor, hasScope, type Role, usableRole, whyNotUsername } from './rules.ts';
import { scopesOfNumber } from './scopes/rules.ts';
import { sessionActor, sessionActors } from './session.ts';
import type { User } from './shape.ts';

/** What authentication needs of the process. */
export interface Authentication {
  sql: Db;
  lastUsed: LastUsed;
}

/**
 * The actor of `token`. Beside `absentActor` the only function that creates an Actor. Refuses `token_kind_unknown` for other prefixes and
 * `token_invalid` for unknown, malformed and expired tokens, and for suspended accounts. Source: api-v2 §1.6.
 */
export async function actorOf({ sql, lastUsed }: Authentication, token: string, now: Date): Promise<Actor> {
  if (!/^mr[apo]_/.test(token)) throw new Refused('token_kind_unknown');
  const hash = hashToken(token);
  if (token.startsWith('mra_')) {
    const actor = await sessionActor(sql, token, now);
    if (!actor) throw new Refused('token_invalid');
    lastUsed.record('sessions', hash, now);
    return actor;
  }
  const isPersonal = token.startsWith('mrp_');
  const actor = await (isPersonal ? tokenActor : appActor)(sql, hash, now);
  if (!actor) throw new Refused('token_invalid');
  lastUsed.record(isPersonal ? 'tokens' : 'oauth_tokens', hash, now);
  return actor;
}

/** The actor of an account itself, for what goes on without a session or token; null when it is suspended or gone. */
export async function actorOfUser(db: Db, user_id: string, now: Date): Promise<Actor | null> {
  const [row] = await db<Array<Omit<Actor, 'scopes' | 'interactive'>>>`
    select u.id as user_id, u.username, ${roleNow(db)}, u.email_verified from users u
    where id = ${user_id} and (suspended_until is null or suspended_until <= ${now})`;
  return row ? { ...row, scopes: 'all', interactive: false } : null;
}

type TokenRow = Omit<Actor, 'scopes' | 'interactive'> & { scopes: number };

async function tokenActor(db: Db, hash: string, now: Date): Promise<Actor | null> {
  const [row] = await db<TokenRow[]>`
    select u.id as user_id, u.username, ${roleNow(db)}, u.email_verified, t.scopes, t.created as token_made,
      'token ' || t.id as credential
    from tokens t join users u on u.id = t.user_id
    where t.token_hash = ${hash} and t.expires > ${now}
      and (u.suspended_until is null or u.suspended_until <= ${now})`;
  return row ? withScopes(row) : null;
}

/** The actor of a token or an app: the role of the account is theirs as far as `usableRole` says. */
function withScopes<R extends TokenRow>(row: R): Omit<R, 'scopes'> & Pick<Actor, 'scopes' | 'interactive'> {
  const scopes = scopesOfNumber(row.scopes);
  return { ...row, role: usableRole(row.role, scopes), scopes, interactive: false };
}

/** Tokens of apps: with scopes that the user granted and the app may still have, and nothing of a role. */
const appTokens = (db: Db, hashes: readonly string[], now: Date) => db<Array<TokenRow & { hash: string }>>`
  select t.token_hash as hash, u.id as user_id, u.username, 'developer' as role, u.email_verified,
    t.scopes & a.scopes & c.max_scopes as scopes, 'app ' || c.id as credential
  from oauth_tokens t
  join oauth_authorizations a on a.id = t.authorization_id
  join oauth_clients c on c.id = a.client_id
  join users u on u.id = a.user_id
  where t.token_hash = any(${hashes as string[]}) and t.expires > ${now}
    and (u.suspended_until is null or u.suspended_until <= ${now})`;

async function appActor(db: Db, token_hash: string, now: Date): Promise<Actor | null> {
  const [row] = await appTokens(db, [token_hash], now);
  if (!row) return null;
  const { hash: _, ...actor } = row;
  return withScopes(actor);
}

/** Revalidates many tokens at once: the current actor of each; tokens that are no longer valid are left out. */
export async function actorsOf(db: Db, tokens: readonly string[], now: Date): Promise<Map<string, Actor>> {
  const hashes = new Map(tokens.map((token) => [hashToken(token), token]));
  const found = await actorsOfHashes(db, [...hashes.keys()], now);
  return new Map([...found].map(([hash, actor]) => [hashes.get(hash)!, actor]));
}

/** The same for stored hashes of tokens. */
export async function actorsOfHashes(
  db: Db,
  hashes: readonly string[],
  now: Date,
): Promise<Map<string, Actor>> {
  const rows = await db<Array<TokenRow & { hash: string }>>`
    select t.token_hash as hash, u.id as user_id, u.username, ${roleNow(db)}, u.email_verified, t.scopes,
      t.created as token_made, 'token ' || t.id as credential
    from tokens t join users u on u.id = t.user_id
    where t.token_hash = any(${hashes as string[]}) and t.expires > ${now}
      and (u.suspended_until is null or u.suspended_until <= ${now})`;
  const found = [
    ...(await sessionActors(db, hashes, now)),
    ...[...rows, ...(await appTokens(db, hashes, now))].map(withScopes),
  ];
  return new Map(found.map(({ hash, ...actor }) => [hash, actor]));
}

/**
 * The actor for what a person let be done later, such as a schedule: all their rights as they are now, no session. Null for
 * accounts that are suspended or gone.
 */
export async function absentActor(db: Db, user_id: string, now: Date): Promise<Actor | null> {
  const [row] = await db<Omit<Actor, 'scopes' | 'interactive'>[]>`
    select id as user_id, username, role, email_verified from users
    where id = ${user_id} and (suspended_until is null or suspended_until <= ${now})`;
  return row ? { ...row, scopes: 'all', interactive: false } : null;
}

interface Row {
  id: string;
  username: string;
  avatar_key: string | null;
  bio: string | null;
  created: string;
  role: Role;
  badges: number;
  email: string | null;
  email_verified: boolean;
  has_password: boolean;
  has_totp: boolean;
  allow_friend_requests: boolean;
}

/** A user with the private fields that only v3 answers. Source: api-v3 §2.5. */
export interface Account {
  user: User;
  /** Null for viewers that may not see it. */
  allow_friend_requests: boolean | null;
}

const columns = (db: Db) => db`
  u.id, u.username, u.avatar_key, u.bio, u.created, u.role,
  u.badges | exists (select from plus_members p where p.user_id = u.id)::int as badges, u.email, u.email_verified,
  u.password_hash is not null as has_password,
  exists (select from two_factor f where f.user_id = u.id and f.totp_secret is not null) as has_totp,
  u.allow_friend_requests`;

const publicUser = (
  settings: MediaSettings,
  { id, username, avatar_key, bio, created, role, badges }: Row,
): User => ({
  id,
  username,
  name: null,
  avatar_url: mediaUrlOrNull(settings, avatar_key),
  bio,
  created,
  role,
  badges,
  auth_providers: null,
  email: null,
  email_verified: null,
  has_password: null,
  has_totp: null,
  payout_data: null,
  github_id: null,
});

/** Private fields of a user that the actor may see: of the actor's own account, within the scopes of the token. */
function privateUser(settings: MediaSettings, row: Row, actor: Actor): User {
  const email = hasScope(actor, 'USER_READ_EMAIL');
  return {
    ...publicUser(settings, row),
    email: email ? row.email : null,
    email_verified: email ? row.email_verified : null,
    has_password: row.has_password,
    has_totp: row.has_totp,
    payout_data: hasScope(actor, 'PAYOUTS_READ')
      ? { paypal_address: null, paypal_country: null, venmo_handle: null, balance: 0 }
      : null,
  };
}

/** The users with these ids or names (case-insensitive), in request order without duplicates. Source: api-v2 §7. */
export async function usersByIdsOrNames(
  { sql, settings }: ReadContext,
  texts: readonly string[],
): Promise<User[]> {
  return (await rowsOf(sql, texts)).map((row) => publicUser(settings, row));
}

/** The users whose ids a query gives as `user_id`, beside a `key` of the caller's, by key and id. One round trip. */
export async function usersByKey(
  { sql, settings }: ReadContext,
  keyed: ReturnType<typeof columns>,
): Promise<Array<{ key: string; user: User }>> {
  const rows = await sql<Array<Row & { key: string }>>`
    select q.key, ${columns(sql)} from (${keyed}) q join users u on u.id = q.user_id order by q.key, q.user_id`;
  return rows.map(({ key, ...row }) => ({ key, user: publicUser(settings, row) }));
}

/** The user with this id or name (case-insensitive), or null. */
export async function userByIdOrName({ sql, settings }: ReadContext, text: string): Promise<User | null> {
  const [row] = await rowsOf(sql, [text]);
  return row ? publicUser(settings, row) : null;
}

/** The actor as a user, with private fields as far as the token's scopes allow. Source: api-v2 §7 (GET /user). */
export const currentUser = async (context: ReadContext, actor: Actor): Promise<User> =>
  (await currentAccount(context, actor)).user;

/** `currentUser` with what only v3 answers. Refuses `token_invalid`. Source: api-v3 §3.7 (GET /user). */
export async function currentAccount({ sql, settings }: ReadContext, actor: Actor): Promise<Account> {
  const [row] = await rowsOf(sql, [actor.user_id]);
  if (!row) throw new Refused('token_invalid');
  return await privateAccount(sql, settings, row, actor);
}

/** A user as seen by `viewer`: admins in a session also see private fields. Source: api-v2 §2.3. */
export const userFor = async (
  context: ReadContext,
  text: string,
  viewer: Actor | null,
): Promise<User | null> => (await accountFor(context, text, viewer))?.user ?? null;

/** `userFor` with what only v3 answers. Source: api-v3 §2.5, §3.7. */
export async function accountFor(
  { sql, settings }: ReadContext,
  text: string,
  viewer: Actor | null,
): Promise<Account | null> {
  const [row] = await rowsOf(sql, [text]);
  return row ? await accountOf(sql, settings, row, viewer) : null;
}

/** The user with this e-mail address in any of its forms (case-insensitive), or null. Checks no rule. Source: api-v3 §3.7. */
export async function accountByEmail(
  { sql, settings }: ReadContext,
  email: string,
  viewer: Actor,
): Promise<Account | null> {
  if (email.includes('\0') || !email.isWellFormed()) return null;
  const same = sql`u.email = any(${storedForms(email)}::text[]::citext[])`;
  const [row] = await sql<Row[]>`select ${columns(sql)} from users u where ${same} limit 1`;
  return row ? await accountOf(sql, settings, row, viewer) : null;
}

const accountOf = async (
  db: Db,
  settings: MediaSettings,
  row: Row,
  viewer: Actor | null,
): Promise<Account> =>
  viewer?.role === 'admin' && viewer.interactive
    ? await privateAccount(db, settings, row, viewer)
    : { user: publicUser(settings, row), allow_friend_requests: null };

async function privateAccount(db: Db, settings: MediaSettings, row: Row, actor: Actor): Promise<Account> {
  const linked = await db<Array<{ provider: string; subject: string }>>`
    select provider, subject from linked_accounts where user_id = ${row.id} order by provider`;
  const user = privateUser(settings, row, actor);
  const payout_data = user.payout_data && (await payoutDataOf(db, row.id));
  const github_id = Number(linked.find(({ provider }) => provider === 'github')?.subject ?? Number.NaN);
  return {
    user: {
      ...user,
      payout_data,
      auth_providers: linked.map(({ provider }) => provider),
      github_id: Number.isSafeInteger(github_id) ? github_id : null,
    },
    allow_friend_requests: row.allow_friend_requests,
  };
}

/** Where the money of a user goes, and what of it can be withdrawn, in dollars. Source: api-v3 §2.5 (`payout_data`). */
async function payoutDataOf(db: Db, user_id: string): Promise<NonNullable<User['payout_data']>> {
  const [row] = await db<Array<NonNullable<User['payout_data']>>>`
    select d.paypal_address, case when d.paypal_address is null then null else d.country end as paypal_country, d.venmo_handle,
      coalesce((select -sum(amount_minor) from ledger_entries where account_id = ${`creator:${user_id}`}), 0)::float8 / 100
        as balance
    from (select 1) one left join payout_details d on d.user_id = ${user_id}`;
  return row!;
}

async function rowsOf(db: Db, texts: readonly string[]): Promise<Row[]> {
  // names consist of the same characters as ids; nothing else can match (and NUL must not reach Postgres)
  const names = texts.filter((text) => whyNotUsername(text) === null);
  if (names.length === 0) return [];
  const rows = await db<Row[]>`
    select ${columns(db)} from users u
    where u.id = any(${names}) or u.username = any(${names}::text[]::citext[])`;
  const index = new Map(
    [...texts].reverse().map((text, back) => [text.toLowerCase(), texts.length - 1 - back]),
  );
  const indexOf = (row: Row) => index.get(row.id.toLowerCase()) ?? index.get(row.username.toLowerCase()) ?? 0;
  return rows.sort((a, b) => indexOf(a) - indexOf(b));
}
