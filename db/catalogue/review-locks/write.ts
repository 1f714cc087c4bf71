import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { lock_ms, whyNotClearLocks, whyNotReview } from './rules.ts';

type LockChange = 'acquired' | 'overridden' | 'released';

/** Tells the audit log who has the review of a project now, or gave it up. */
export const recordLockChange = (tx: Db, actor: Actor, project_id: string, change: LockChange) =>
  recordEvent(tx, { name: 'project.review_locked', actor_id: actor.user_id, project_id, data: { change } });

/** Whether the actor's review of a project goes on: a page that is loaded again gives its lock back and takes it again. */
const isReviewing = async (tx: Db, { user_id }: Actor, project_id: string): Promise<boolean> =>
  (await tx`select 1 from reviews where project_id = ${project_id} and reviewer_id = ${user_id}`).length > 0;

/**
 * Takes the lock of a project for 15 minutes, or renews the own one; gives whether the actor holds it now. A live lock of
 * somebody else stays, unless `override`. Two who try at once: one gets it. Only what changes hands is in the audit log,
 * not the lock that comes and goes within one review.
 * Refuses `moderators_only`, `not_found`. Source: api-v3 §5.
 */
export async function acquireLock(
  tx: Db,
  actor: Actor,
  project_id: string,
  { override = false, now }: { override?: boolean; now: Date },
): Promise<boolean> {
  assertAllowed(whyNotReview(actor));
  // it stays until the commit
  const [project] = await tx`select 1 from projects where id = ${project_id} for key share`;
  if (!project) throw new Refused('not_found');
  const [before] = await tx<Array<{ moderator_id: string; live: boolean }>>`
    select moderator_id, expires_at > ${now} as live from review_locks where project_id = ${project_id} for update`;
  const expires_at = new Date(now.getTime() + lock_ms);
  const [row] = await tx<Array<{ moderator_id: string }>>`
    insert into review_locks as l (project_id, moderator_id, locked_at, expires_at)
    values (${project_id}, ${actor.user_id}, ${now}, ${expires_at})
    on conflict (project_id) do update set
      moderator_id = excluded.moderator_id,
      locked_at = case when l.moderator_id = excluded.moderator_id and l.expires_at > ${now}
        then l.locked_at else excluded.locked_at end,
      expires_at = excluded.expires_at
    where l.moderator_id = excluded.moderator_id or l.expires_at <= ${now} or ${override}
    returning moderator_id`;
  if (!row) return false;
  const is_renewed = before?.live === true && before.moderator_id === actor.user_id;
  const is_handed_over = before !== undefined && before.moderator_id !== actor.user_id;
  if (!is_renewed && (is_handed_over || !(await isReviewing(tx, actor, project_id))))
    await recordLockChange(tx, actor, project_id, before?.live ? 'overridden' : 'acquired');
  return true;
}

/**
 * Ends the actor's own lock; gives whether there was one. The audit log has it unless their review goes on. Refuses
 * `moderators_only`. Source: api-v3 §5.
 */
export async function releaseLock(tx: Db, actor: Actor, project_id: string): Promise<boolean> {
  assertAllowed(whyNotReview(actor));
  const rows = await tx`
    delete from review_locks where project_id = ${project_id} and moderator_id = ${actor.user_id} returning 1`;
  if (rows.length > 0 && !(await isReviewing(tx, actor, project_id)))
    await recordLockChange(tx, actor, project_id, 'released');
  return rows.length > 0;
}

/** Ends the locks of everybody; gives how many there were. Refuses `moderators_only`, `admins_only`. Source: api-v3 §5. */
export async function clearLocks(tx: Db, actor: Actor): Promise<number> {
  assertAllowed(whyNotClearLocks(actor));
  const rows = await tx`delete from review_locks returning 1`;
  const locks = rows.length;
  await recordEvent(tx, { name: 'catalogue.review_locks_cleared', actor_id: actor.user_id, data: { locks } });
  return locks;
}

/** Ends the lock of a project that is decided, whoever holds it. Checks no rule. */
export async function removeLock(tx: Db, project_id: string): Promise<void> {
  await tx`delete from review_locks where project_id = ${project_id}`;
}
