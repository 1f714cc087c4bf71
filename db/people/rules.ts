import type { RefusalCode } from '../errors.ts';

export const roles = ['developer', 'moderator', 'admin'] as const;
export type Role = (typeof roles)[number];

/** Token scopes by bit. Source: api-v3 §4.3; design §4.13 (48 to 51 are ours). */
export const scopeBits = {
  USER_READ_EMAIL: 0,
  USER_READ: 1,
  USER_WRITE: 2,
  USER_DELETE: 3,
  USER_AUTH_WRITE: 4,
  NOTIFICATION_READ: 5,
  NOTIFICATION_WRITE: 6,
  PAYOUTS_READ: 7,
  PAYOUTS_WRITE: 8,
  ANALYTICS: 9,
  PROJECT_CREATE: 10,
  PROJECT_READ: 11,
  PROJECT_WRITE: 12,
  PROJECT_DELETE: 13,
  VERSION_CREATE: 14,
  VERSION_READ: 15,
  VERSION_WRITE: 16,
  VERSION_DELETE: 17,
  REPORT_CREATE: 18,
  REPORT_READ: 19,
  REPORT_WRITE: 20,
  REPORT_DELETE: 21,
  THREAD_READ: 22,
  THREAD_WRITE: 23,
  PAT_CREATE: 24,
  PAT_READ: 25,
  PAT_WRITE: 26,
  PAT_DELETE: 27,
  SESSION_READ: 28,
  SESSION_DELETE: 29,
  PERFORM_ANALYTICS: 30,
  COLLECTION_CREATE: 31,
  COLLECTION_READ: 32,
  COLLECTION_WRITE: 33,
  COLLECTION_DELETE: 34,
  ORGANIZATION_CREATE: 35,
  ORGANIZATION_READ: 36,
  ORGANIZATION_WRITE: 37,
  ORGANIZATION_DELETE: 38,
  SESSION_ACCESS: 39,
  SHARED_INSTANCE_CREATE: 40,
  SHARED_INSTANCE_READ: 41,
  SHARED_INSTANCE_WRITE: 42,
  SHARED_INSTANCE_DELETE: 43,
  SHARED_INSTANCE_VERSION_CREATE: 44,
  SHARED_INSTANCE_VERSION_READ: 45,
  SHARED_INSTANCE_VERSION_WRITE: 46,
  SHARED_INSTANCE_VERSION_DELETE: 47,
  SERVER_READ: 48,
  SERVER_CREATE: 49,
  SERVER_WRITE: 50,
  STAFF: 51,
} as const;
export type Scope = keyof typeof scopeBits;

/** Scopes that only a first-party session has; no token can carry them. */
const restrictedScopes: ReadonlySet<Scope> = new Set<Scope>([
  'USER_DELETE',
  'USER_AUTH_WRITE',
  'PAT_CREATE',
  'PAT_READ',
  'PAT_WRITE',
  'PAT_DELETE',
  'SESSION_READ',
  'SESSION_DELETE',
  'PERFORM_ANALYTICS',
  'SESSION_ACCESS',
]);

/** The longest life of a personal access token, in days. */
const max_token_days = 366;
const max_token_ms = max_token_days * 86_400_000;

/**
 * The authenticated caller. Created in `db/people/read.ts` only. `scopes` restrict a token and never extend it;
 * `interactive` is a first-party session. `role` is what the caller may use of the account's role: see `usableRole`.
 */
export interface Actor {
  user_id: string;
  username: string;
  role: Role;
  scopes: ReadonlySet<Scope> | 'all';
  interactive: boolean;
  email_verified: boolean;
  /** When the person last proved who they are in this session; absent for tokens and commands. RFC 3339. */
  proved?: string;
  /** `token` or `app` and its id; absent for sessions and commands. */
  credential?: string;
  /** When the personal token was made; absent for everything else. RFC 3339. */
  token_made?: string;
  /** The public id of the session; absent for tokens, apps and commands. */
  session?: string;
}

/** The actor of operator commands: no account has its id. */
export const operator: Actor = {
  user_id: '0',
  username: 'operator',
  role: 'admin',
  scopes: 'all',
  interactive: true,
  email_verified: true,
  // whoever may run commands there has the database
  proved: '9999-12-31T00:00:00Z',
};

const proof_ms = 10 * 60_000;

/**
 * Why the actor must prove again who they are before a dangerous change, or null: the last proof (a sign-in, or a password,
 * passkey or code entered since) is older than ten minutes. Only sessions can prove anything. Source: specification §4.
 */
export const whyNotProved = (actor: Actor, now: Date): RefusalCode | null =>
  actor.proved !== undefined && now.getTime() - Date.parse(actor.proved) <= proof_ms
    ? null
    : 'proof_required';

/**
 * As `whyNotProved`, for what commands do as well as people: a personal token counts for ten minutes after it was made, because
 * making it needed a proof. An app never does.
 */
export const whyNotProvedOrNew = (actor: Actor, now: Date): RefusalCode | null => {
  const proved = actor.proved ?? actor.token_made;
  return whyNotProved(proved === undefined ? actor : { ...actor, proved }, now);
};

/** The account of the actor, for columns that refer to one; null for the system and for operator commands. */
export const accountOf = (actor: Actor | null): string | null =>
  actor === null || actor.user_id === operator.user_id ? null : actor.user_id;

/**
 * What a token or an app may use of the role of its account: nothing, unless the person gave a token of theirs the scope
 * `STAFF` in a session. So no rule that reads a role has to remember who asks.
 */
export const usableRole = (role: Role, scopes: ReadonlySet<Scope>): Role =>
  scopes.has('STAFF') ? role : 'developer';

/** By what an actor is known: their session, token or app, and its id. */
export const credentialOf = ({ credential, session }: Actor): string | undefined =>
  credential ?? (session === undefined ? undefined : `session ${session}`);

/** Whether the actor's token carries `scope`. */
export const hasScope = (actor: Actor, scope: Scope): boolean =>
  actor.scopes === 'all' || actor.scopes.has(scope);

export const isModerator = (actor: Actor | null): boolean =>
  actor?.role === 'moderator' || actor?.role === 'admin';
export const isAdmin = (actor: Actor | null): boolean => actor?.role === 'admin';

/** The actor, or null for anonymous callers and tokens without `scope`: for public reads. */
export const readerWith = (actor: Actor | null, ...scopes: Scope[]): Actor | null =>
  actor && scopes.every((scope) => hasScope(actor, scope)) ? actor : null;

/** Scopes as the integer of the API (64 bits: beyond 2^31, below 2^53). */
export const scopesToNumber = (scopes: Iterable<Scope>): number => {
  let bits = 0n;
  for (const scope of scopes) bits |= 1n << BigInt(scopeBits[scope]);
  return Number(bits);
};

/** The scopes of the API's integer; unknown bits are dropped. */
export const scopesOfNumber = (bits: number | bigint): Set<Scope> => {
  const value = BigInt(bits);
  const found = (Object.keys(scopeBits) as Scope[]).filter((name) => (value >> BigInt(scopeBits[name])) & 1n);
  return new Set(found);
};

/** What an app may ask for, and a token of anybody may carry. */
export const unrestrictedScopes: readonly Scope[] = (Object.keys(scopeBits) as Scope[]).filter(
  (scope) => !restrictedScopes.has(scope) && scope !== 'STAFF',
);

/** Every scope that a token of somebody can carry. */
export const tokenScopes: readonly Scope[] = [...unrestrictedScopes, 'STAFF'];

/** What a token that `by` issues may carry: `STAFF` is for staff in a session, and for no operator command. */
export const issuableScopes = (by: Actor | null): readonly Scope[] =>
  by?.interactive && isModerator(by) ? tokenScopes : unrestrictedScopes;

/** Why `by` may not issue a token with `scopes`, or null; `by` is null for operator commands. Source: api-v3 §4.2. */
export const whyNotTokenScopes = (scopes: Iterable<Scope>, by: Actor | null): RefusalCode | null =>
  [...scopes].every((scope) => issuableScopes(by).includes(scope)) ? null : 'scope_restricted';

/** Why a token may not end at `expires`, or null. */
export function whyNotTokenExpiry(expires: Date, now: Date): RefusalCode | null {
  if (expires <= now) return 'token_expiry_past';
  return expires.getTime() - now.getTime() > max_token_ms ? 'token_expiry_late' : null;
}

/** Why `username` is refused, or null; `.` and `..` would be path segments in a URL. Source: api-v2 §1.2. */
export const whyNotUsername = (username: string): RefusalCode | null =>
  /^(?!\.{1,2}$)[a-zA-Z0-9._-]{1,39}$/.test(username) ? null : 'username_malformed';

/** Why `email` is malformed, or null; only a mail can prove that it exists. */
export const whyNotEmail = (email: string): RefusalCode | null =>
  email.length <= 254 && email.isWellFormed() && address.test(email) ? null : 'email_malformed';

/** Without what separates addresses, quotes or comments in a mail's headers. */
const address = /^[^\s\p{Cc}@<>"(),:;\\[\]]+@[^\s\p{Cc}@<>"(),:;\\[\]]+\.[^\s\p{Cc}@<>"(),:;\\[\].]+$/u;

/**
 * Why a password of this length (in characters) is refused, or null. Strength is checked in `password.ts`. Source:
 * api-v3 §4.
 */
export function whyNotPasswordLength(password: string): RefusalCode | null {
  const characters = [...password].length;
  return characters >= 8 && characters <= 256 ? null : 'password_length';
}

/**
 * The Ghost user, who gets what deleted users leave behind: 127155982985829 in base62. Nobody signs in as it, and no
 * list shows it. Source: api-behaviours §13.
 */
export const ghostId = 'a6eRm92L';

/** A user as the rules about profiles see one. */
type Subject = { id: string };

/** The user themselves and moderators edit a profile and its icon; that of staff only administrators. Source: api-v2 §7. */
export function whyNotEditUser({ id, role }: Subject & { role: Role }, actor: Actor): RefusalCode | null {
  if (id === ghostId) return 'ghost_user';
  if (actor.user_id === id || isAdmin(actor)) return null;
  if (!isModerator(actor)) return 'not_yours';
  return role === 'developer' ? null : 'admins_only';
}

/** Role and badges are set by admins only, for themselves too. Source: api-v2 §7. */
export const whyNotRankUser = (actor: Actor): RefusalCode | null => (isAdmin(actor) ? null : 'admins_only');

/** The user themselves and admins delete an account. Source: api-v2 §7. */
export function whyNotDeleteUser({ id }: Subject, actor: Actor): RefusalCode | null {
  if (id === ghostId) return 'ghost_user';
  return actor.user_id === id || isAdmin(actor) ? null : 'not_yours';
}

/** Preferences are read and changed by the user themselves and moderators. Source: api-v3 §3.7. */
export const whyNotSetPreferences = ({ id }: Subject, actor: Actor): RefusalCode | null =>
  actor.user_id === id || isModerator(actor) ? null : 'not_yours';

/** An account is found by its e-mail address by admins only. Source: api-v3 §3.7. */
export const whyNotFindByEmail = (actor: Actor): RefusalCode | null =>
  isAdmin(actor) ? null : 'admins_only';

/** What of an account was ended, by number: for the mail about it. */
export interface EndedAccess {
  sessions: number;
  tokens: number;
  apps: number;
  /** Passwords and keys of SFTP. */
  sftp: number;
  /** Passkeys, second factors and linked accounts. */
  ways: number;
}
