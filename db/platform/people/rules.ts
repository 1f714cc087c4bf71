import type { RefusalCode } from '../errors.ts';
import type { Scope } from './scopes/rules.ts';

export const roles = ['developer', 'moderator', 'admin'] as const;
export type Role = (typeof roles)[number];

/**
 * The authenticated caller. Created in `db/platform/people/read.ts` only. `scopes` restrict a token and never extend it;
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
