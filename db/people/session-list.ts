import { recordEvent } from '../events/write.ts';
import { hashToken } from '../secrets/hash.ts';
import type { Db } from '../sql.ts';
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

/** Ends the session of `user_id` with the public id `id`. Idempotent; ignores sessions of others. */
export async function endSession(db: Db, { id, user_id }: { id: string; user_id: string }): Promise<void> {
  const gone = await db`delete from sessions where public_id = ${id} and user_id = ${user_id}`;
  if (gone.count > 0) await recordEvent(db, { name: 'user.edited', user_id, data: { sessions: 'ended' } });
}

/** Ends every session of `user_id` except that of `token`. Gives how many. */
export async function endOtherSessions(
  db: Db,
  { user_id, token }: { user_id: string; token: string },
): Promise<number> {
  const gone = await db`delete from sessions where user_id = ${user_id} and id <> ${hashToken(token)}`;
  if (gone.count > 0) await recordEvent(db, { name: 'user.edited', user_id, data: { sessions: 'ended' } });
  return gone.count;
}
