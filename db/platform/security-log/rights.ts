import type { Db } from '../postgres/sql.ts';
import { origin } from './origin.ts';

/** An event about an account, as consumers hear of it. */
interface AccountEvent {
  name: string;
  actor_id?: string | null;
  user_id?: string | null;
  data?: unknown;
}

/** What of the data of `user.edited` is about who may do what. */
const about = [
  'role',
  'password',
  'token',
  'sessions',
  'application',
  'authorization',
  'two_factor',
  'passkey',
  'email',
] as const;

/** What an event says about rights, or null when it is about something else. */
function changeIn({ name, data }: AccountEvent): Record<string, string> | null {
  const values = (data ?? {}) as Record<string, unknown>;
  if (name === 'user.edited') {
    const what = about.find((field) => values[field] !== undefined);
    if (!what) return null;
    const value = values[what];
    if (typeof value === 'string') return { what, how: value };
    const { from, to } = value as { from?: string; to?: string };
    return { what, ...(from && to && { from, to }) };
  }
  if (name === 'user.suspended' || name === 'user.restored') return { what: name.slice('user.'.length) };
  return name === 'team.changed' ? { what: 'team' } : null;
}

/**
 * Writes what events say about rights to the log of security, in the transaction that changes them. Called for every event
 * (`recordEvents`), so that no change of rights can forget it.
 */
export async function recordRights(db: Db, events: readonly AccountEvent[], now: Date): Promise<void> {
  const rows = events.flatMap((event) => {
    const detail = event.user_id ? changeIn(event) : null;
    if (!detail) return [];
    const by_id = event.actor_id && event.actor_id !== event.user_id ? event.actor_id : null;
    const at = { first: now, last: now, detail: db.json(detail) };
    return [{ kind: 'rights_changed', user_id: event.user_id!, by_id, ...origin(), ...at }];
  });
  if (rows.length > 0) await db`insert into security_events ${db(rows as never)}`;
}
