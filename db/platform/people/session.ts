import { PostgresJsAdapter } from '@lucia-auth/adapter-postgresql';
import { type Adapter, Lucia, TimeSpan } from 'lucia';
import { newId, randomText } from '../id.ts';
import type { Db } from '../postgres/sql.ts';
import { hashToken } from '../secrets/hash.ts';
import { noteSecurity } from '../security-log/origin.ts';
import { roleNow } from './role-now.ts';
import type { Actor, Role } from './rules.ts';

/** Wraps lucia. Stored ids are hashes, so the database contains no usable token. Source: stack §5. */

const day_ms = 86_400_000;
/** A session is renewed for 14 days on use and ends 60 days after the sign-in. Source: api-behaviours §14. */
const slides_days = 14;
export const ends_days = 60;
const isSessionToken = (token: string): boolean => /^mra_[A-Za-z0-9]{60}$/.test(token);

interface Attributes {
  public_id: string;
  created: string;
  last_used: string;
  os: string | null;
  platform: string | null;
  user_agent: string | null;
  proved: string;
  ip: string | null;
  city: string | null;
  country: string | null;
}
interface Person {
  username: string;
  role: Role;
  email_verified: boolean;
}
type Row = Attributes & Person & { user_id: string; expires_at: string };

/** A session as it is stored; the id is the hash of its token. */
export type StoredSession = Attributes & { id: string; user_id: string; expires_at: Date };

async function insertSession(db: Db, row: StoredSession): Promise<void> {
  await db`insert into sessions ${db({ ...row })}`;
}

function adapter(
  db: Db,
  now: Date,
  store: (row: StoredSession) => Promise<void> = (row) => insertSession(db, row),
): Adapter {
  const remembered = new PostgresJsAdapter(db as never, { user: 'users', session: 'sessions' });
  return {
    // one round trip; an expired session does not authenticate but its row stays, since it can be refreshed
    getSessionAndUser: async (token) => {
      const [row] = await db<Row[]>`
        select s.user_id, s.expires_at, s.public_id, s.created, s.last_used, s.os, s.platform, s.user_agent,
          s.proved, s.ip, s.city, s.country,
          u.username, ${roleNow(db)}, u.email_verified
        from sessions s join users u on u.id = s.user_id
        where s.id = ${hashToken(token)} and s.expires_at > ${now} and s.created > ${endsBefore(now)}
          and (u.suspended_until is null or u.suspended_until <= ${now})`;
      if (!row) return [null, null];
      const { user_id, expires_at, username, role, email_verified, ...attributes } = row;
      return [
        { id: token, userId: user_id, expiresAt: new Date(expires_at), attributes },
        { id: user_id, attributes: { username, role, email_verified } },
      ];
    },
    // of the given clock; lucia has only the real one
    setSession: ({ id, userId: user_id, attributes }) =>
      store({ id: hashToken(id), user_id, expires_at: expiryOf(now), ...attributes }),
    updateSessionExpiration: async (token) => {
      await db`
        update sessions set expires_at = least(${expiryOf(now)}, created + ${ends_days} * interval '1 day')
        where id = ${hashToken(token)}`;
    },
    deleteSession: async (token) => {
      await db`delete from sessions where id = ${hashToken(token)}`;
    },
    getUserSessions: (user) => remembered.getUserSessions(user),
    deleteUserSessions: (user) => remembered.deleteUserSessions(user),
    deleteExpiredSessions: async () => {
      await db`delete from sessions where created <= ${endsBefore(now)}`;
    },
  };
}

const expiryOf = (now: Date): Date => new Date(now.getTime() + slides_days * day_ms);
const endsBefore = (now: Date): Date => new Date(now.getTime() - ends_days * day_ms);

const luciaOf = (db: Db, now: Date, store?: (row: StoredSession) => Promise<void>) =>
  new Lucia(adapter(db, now, store), {
    sessionExpiresIn: new TimeSpan(slides_days, 'd'),
    getUserAttributes: ({ username, role, email_verified }) => ({ username, role, email_verified }),
    getSessionAttributes: ({ public_id, created, proved }) => ({ public_id, created, proved }),
  });

declare module 'lucia' {
  interface Register {
    Lucia: ReturnType<typeof luciaOf>;
    UserId: string;
    DatabaseUserAttributes: Person;
    DatabaseSessionAttributes: Attributes;
  }
}

/** A session as in the API. Source: api-v3 §4.1. */
export interface Session {
  id: string;
  session: string | null;
  user_id: string;
  created: string;
  last_login: string;
  expires: string;
  refresh_expires: string;
  os: string | null;
  platform: string | null;
  user_agent: string | null;
  /** Where it was opened, as far as known. */
  city: string | null;
  country: string | null;
  ip: string | null;
  current: boolean;
}

/** What a session is opened with. */
export interface NewSession {
  user_id: string;
  user_agent: string | null;
  /** Where the request came from, as far as known. */
  from?: { ip: string | null; city: string | null; country: string | null };
  now: Date;
  /** The first sign-in; now by default. */
  created?: Date;
  /** When the person last proved who they are; now by default. */
  proved?: Date;
  /** That of the session which this one replaces: to its owner, and to limits, it is the same one. */
  public_id?: string;
}

/**
 * Creates a session for `user_id`; `session` is the token, available only now. `created` is the first sign-in. `store`
 * inserts the row, if it does so together with something else.
 */
export async function openSession(
  db: Db,
  {
    user_id,
    user_agent,
    from = { ip: null, city: null, country: null },
    now,
    created = now,
    proved = now,
    public_id = newId(),
  }: NewSession,
  store?: (row: StoredSession) => Promise<void>,
): Promise<Session> {
  const token = `mra_${randomText(60)}`;
  const { os, platform } = deviceOf(user_agent ?? '');
  const at = created.toISOString();
  const attributes = {
    ...{ public_id, created: at, last_used: now.toISOString(), os, platform },
    ...{ proved: proved.toISOString(), ...from },
  };
  const agent = user_agent?.slice(0, 512) ?? null;
  const lucia = luciaOf(db, now, store);
  await lucia.createSession(user_id, { ...attributes, user_agent: agent }, { sessionId: token });
  const ends = created.getTime() + ends_days * day_ms;
  const expires = new Date(Math.min(expiryOf(now).getTime(), ends));
  return {
    id: attributes.public_id,
    session: token,
    user_id,
    created: at,
    last_login: attributes.last_used,
    expires: expires.toISOString(),
    refresh_expires: new Date(ends).toISOString(),
    os,
    platform,
    user_agent: agent,
    ...from,
    current: true,
  };
}

/** The user of the session token, or null; a session in the second half of its 14 days is renewed. */
export async function sessionActor(db: Db, token: string, now: Date): Promise<Actor | null> {
  if (!isSessionToken(token)) return null;
  const { user, session } = await luciaOf(db, now).validateSession(token);
  if (!user) return null;
  const { id, username, role, email_verified } = user;
  const { proved, public_id } = session;
  const who = { user_id: id, username, role, email_verified };
  return { ...who, scopes: 'all', interactive: true, proved, session: public_id };
}

/** The user of each of these session tokens, by stored hash; renews nothing. */
export async function sessionActors(
  db: Db,
  hashes: readonly string[],
  now: Date,
): Promise<Array<Actor & { hash: string }>> {
  const rows = await db<Array<Person & { hash: string; user_id: string; proved: string; session: string }>>`
    select s.id as hash, s.user_id, s.proved, s.public_id as session, u.username,
      ${roleNow(db)}, u.email_verified
    from sessions s join users u on u.id = s.user_id
    where s.id = any(${hashes}) and s.expires_at > ${now} and s.created > ${endsBefore(now)}
      and (u.suspended_until is null or u.suspended_until <= ${now})`;
  return rows.map((row) => ({ ...row, scopes: 'all', interactive: true }));
}

/**
 * Replaces a session that may have expired; the 60 days still count from the first sign-in. Null when the token is
 * unknown or the 60 days are over. Source: api-v3 §4.1 (session/refresh).
 */
export async function refreshSession(db: Db, token: string, now: Date): Promise<Session | null> {
  if (!isSessionToken(token)) return null;
  const [old] = await db<
    Array<
      Pick<Row, 'public_id' | 'user_id' | 'created' | 'user_agent' | 'proved' | 'ip' | 'city' | 'country'>
    >
  >`
    delete from sessions where id = ${hashToken(token)}
    returning public_id, user_id, created, user_agent, proved, ip, city, country`;
  if (!old || new Date(old.created) <= endsBefore(now)) return null;
  const { public_id, user_id, user_agent, created, proved, ...from } = old;
  const times = { created: new Date(created), proved: new Date(proved), now };
  return await openSession(db, { public_id, user_id, user_agent, from, ...times });
}

/** Stores that the person behind the session of `token` proved just now who they are. */
export async function markProved(db: Db, token: string, now: Date): Promise<void> {
  const [row] = await db<Array<{ user_id: string }>>`
    update sessions set proved = ${now} where id = ${hashToken(token)} returning user_id`;
  if (row) noteSecurity({ kind: 'proof', ...row, now });
}

/** Ends the session of `token`; ignores unknown ones. */
export const closeSession = (db: Db, token: string, now: Date): Promise<void> =>
  luciaOf(db, now).invalidateSession(token);

/** Deletes sessions whose 60 days are over. */
export const dropEndedSessions = (db: Db, now: Date): Promise<void> =>
  luciaOf(db, now).deleteExpiredSessions();

const systems = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS', 'Linux'];
const programs = ['Edg', 'Firefox', 'OPR', 'Chrome', 'Safari'];

/** Browser and system names from a user agent: approximate, for display only. */
export function deviceOf(agent: string): { os: string | null; platform: string | null } {
  return {
    os: systems.find((name) => agent.includes(name)) ?? null,
    platform: programs.find((name) => agent.includes(name)) ?? null,
  };
}
