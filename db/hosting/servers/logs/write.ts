import { Refused } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/write.ts';
import { randomText } from '../../../platform/id.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { lockChangeableServer } from '../locked.ts';
import { findAuthorizedServer } from '../read.ts';
import { whyNotChange, whyNotHave } from '../rules.ts';
import { type LogLifetime, log_id_letters, logLifetimes, max_shared_logs } from './rules.ts';
import type { SharedText } from './stored-text.ts';

interface NewLog {
  server_id: string;
  lifetime: LogLifetime;
  /** Its name, text and findings, without secrets and addresses (`sharedTextAside`). */
  shared: SharedText;
}

/**
 * Stores a log under a new address that nobody can guess, without secrets and addresses. Refuses as `whyNotHave.files`,
 * `log_unreadable` for an empty text, and `logs_too_many`.
 */
export async function shareLog(tx: Db, actor: Actor, log: NewLog, now: Date): Promise<string> {
  const { server_id, lifetime } = log;
  const { name, text, findings } = log.shared;
  await lockChangeableServer(tx, actor, server_id, now, whyNotHave.files);
  if (text.trim() === '') throw new Refused('log_unreadable', { path: name });
  await assertRoom(tx, server_id, now);
  const expires = new Date(now.getTime() + logLifetimes[lifetime] * 3_600_000);
  const id = randomText(log_id_letters);
  const row = { id, server_id, user_id: actor.user_id, name, text, created: now, expires };
  const bytes = new TextEncoder().encode(text).length;
  await tx`insert into shared_logs ${tx({ ...row, bytes, findings: tx.json(findings as never) })}`;
  // the address is the key to it: whoever may only see what was done does not get it
  const data = { log_id: id.slice(0, 8), name: row.name, expires: expires.toISOString() };
  await recordEvent(tx, { name: 'server.log_shared', actor_id: actor.user_id, server_id, data });
  return id;
}

/**
 * Asks before a log is read and redacted whether it could be shared. Refuses as `whyNotHave.files`, and `logs_too_many`.
 */
export async function assertRoomForLog(db: Db, actor: Actor, server_id: string, now: Date): Promise<void> {
  await findAuthorizedServer(db, actor, server_id, now, whyNotHave.files);
  await assertRoom(db, server_id, now);
}

async function assertRoom(db: Db, server_id: string, now: Date): Promise<void> {
  const [count] = await db<Array<{ shared: number }>>`
    select count(*)::int as shared from shared_logs where server_id = ${server_id} and expires > ${now}`;
  if (count!.shared >= max_shared_logs) throw new Refused('logs_too_many', { most: max_shared_logs });
}

/**
 * Removes a shared log at once. Whoever shared it may, and owners of the server. Refuses `log_not_found` otherwise, and as
 * `whyNotHave.files`.
 */
export async function removeSharedLog(
  tx: Db,
  actor: Actor,
  { server_id, log_id }: { server_id: string; log_id: string },
  now: Date,
): Promise<void> {
  const { facts } = await findAuthorizedServer(tx, actor, server_id, now, whyNotHave.files);
  const isOwner = whyNotChange(actor, facts) === null;
  const { count } = await tx`
    delete from shared_logs
    where id = ${log_id} and server_id = ${server_id} and (user_id = ${actor.user_id} or ${isOwner})`;
  if (count === 0) throw new Refused('log_not_found');
  const data = { log_id: log_id.slice(0, 8) };
  await recordEvent(tx, { name: 'server.log_removed', actor_id: actor.user_id, server_id, data });
}

/** Removes shared logs that have ended, at most `limit`. Gives how many. */
export async function purgeSharedLogs(db: Db, now: Date, limit = 200): Promise<number> {
  const { count } = await db`
    delete from shared_logs where id in (select id from shared_logs where expires <= ${now} limit ${limit})`;
  return count;
}
