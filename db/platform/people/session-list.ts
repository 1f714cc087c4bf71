import { assertAllowed } from '../errors.ts';
import { recordEvent } from '../events/write.ts';
import type { Db } from '../postgres/sql.ts';
import { hashToken } from '../secrets/hash.ts';
import { endAccess } from './end-access.ts';
import { type Actor, accountOf, isAdmin, whyNotProved } from './rules.ts';
import { ends_days, type Session } from './session.ts';

/** How many sessions of a user are listed; older ones end by themselves after 60 days. */
const max_listed = 200;

interface Row extends Omit<Session, 'session' | 'last_login' | 'refresh_expires'> {
  last_used: string;
}

/**
 * The sessions of a user that have not reached their end, the last used first; `current` is the one of `token`. The
 * tokens themselves are null. Source: api-v3 §4.1.
 */
export async function sessionsOf(db: Db, user_id: string, token: string | null): Promise<Session[]> {
  const rows = await db<Row[]>`
    select public_id as id, user_id, created, last_used, expires_at as expires, os, platform, user_agent,
      city, country, ip, id = ${token ? hashToken(token) : ''} as current
    from sessions where user_id = ${user_id}
    order by last_used desc, public_id limit ${max_listed}`;
  return rows.map(({ last_used, ...row }) => ({
    ...row,
    session: null,
    last_login: last_used,
    refresh_expires: new Date(new Date(row.created).getTime() + ends_days * 86_400_000).toISOString(),
  }));
}

/**
 * Ends the actor's session with the public id `id`. Idempotent; ignores sessions of others. Refuses `proof_required` for
 * another session than that of `token`: whoever finds a browser signed in must not sign its owner out elsewhere.
 */
export async function endSession(
  db: Db,
  { id, actor, token, now }: { id: string; actor: Actor; token: string | null; now: Date },
): Promise<void> {
  const { user_id } = actor;
  const [own] = await db`
    select 1 from sessions where public_id = ${id} and id = ${token ? hashToken(token) : ''}`;
  if (!own) assertAllowed(whyNotProved(actor, now));
  const gone = await db`delete from sessions where public_id = ${id} and user_id = ${user_id}`;
  if (gone.count > 0) await recordEvent(db, { name: 'user.edited', user_id, data: { sessions: 'ended' } });
}

/** Ends every session of the actor except that of `token`. Gives how many. Refuses `proof_required`. */
export async function endOtherSessions(
  db: Db,
  { actor, token, now }: { actor: Actor; token: string; now: Date },
): Promise<number> {
  assertAllowed(whyNotProved(actor, now));
  const { user_id } = actor;
  const gone = await db`delete from sessions where user_id = ${user_id} and id <> ${hashToken(token)}`;
  if (gone.count > 0) await recordEvent(db, { name: 'user.edited', user_id, data: { sessions: 'ended' } });
  return gone.count;
}

/**
 * Ends all access to an account, for admins and operators: somebody else may be signed in to it. Gives how many sessions.
 * Refuses `admins_only`, `proof_required` (operators are at the machine itself).
 */
export async function endSessionsOf(
  db: Db,
  { user_id, actor, now }: { user_id: string; actor: Actor; now: Date },
): Promise<number> {
  assertAllowed(isAdmin(actor) ? null : 'admins_only');
  const account = accountOf(actor);
  if (account !== null) assertAllowed(whyNotProved(actor, now));
  const { sessions, tokens, apps, sftp } = await endAccess(db, { user_id });
  if (sessions + tokens + apps + sftp > 0)
    await recordEvent(db, { name: 'user.edited', actor_id: account, user_id, data: { sessions: 'ended' } });
  return sessions;
}
