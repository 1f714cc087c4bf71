import { whyNotReview } from '../../catalogue/review-locks/rules.ts';
import { assertAllowed } from '../../platform/errors.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { openReview } from './progress.ts';
import { nextWaiting } from './queue.ts';
import { type QueueFilter, queueFilterShape } from './shape.ts';

/** Begins to work through the projects of a filter, anew. Refuses `moderators_only`. */
export async function startSession(tx: Db, actor: Actor, filter: QueueFilter, now: Date): Promise<void> {
  assertAllowed(whyNotReview(actor));
  await tx`
    insert into review_sessions (moderator_id, filter, updated)
    values (${actor.user_id}, ${tx.json(filter as never)}, ${now})
    on conflict (moderator_id) do update set filter = excluded.filter, skipped = '{}', updated = excluded.updated`;
}

/** Stops to work through a filter. */
export async function endSession(tx: Db, { user_id }: Actor): Promise<void> {
  await tx`delete from review_sessions where moderator_id = ${user_id}`;
}

/** A project that is skipped does not come again in this session. */
export async function skipProject(tx: Db, { user_id }: Actor, project_id: string): Promise<void> {
  await tx`
    update review_sessions set skipped = array_append(skipped, ${project_id})
    where moderator_id = ${user_id} and not ${project_id} = any(skipped)`;
}

async function sessionOf(db: Db, user_id: string) {
  const [row] = await db<Array<{ filter: unknown; skipped: string[] }>>`
    select filter, skipped from review_sessions where moderator_id = ${user_id}`;
  const filter = row && queueFilterShape.safeParse(row.filter);
  return row && filter?.success ? { filter: filter.data, skipped: row.skipped } : null;
}

/** How many projects are left in the actor's session; null without one. */
export async function leftInSession(db: Db, { user_id }: Actor, now: Date): Promise<number | null> {
  const session = await sessionOf(db, user_id);
  return session ? (await nextWaiting(db, user_id, { ...session, now })).left : null;
}

/**
 * The id of the next project of the actor's session, under review by the actor from now on; null when none is left, or there
 * is no session. Refuses `moderators_only`.
 */
export async function nextInSession(tx: Db, actor: Actor, now: Date): Promise<string | null> {
  assertAllowed(whyNotReview(actor));
  const session = await sessionOf(tx, actor.user_id);
  if (!session) return null;
  const skipped = [...session.skipped];
  for (;;) {
    const { id } = await nextWaiting(tx, actor.user_id, { filter: session.filter, skipped, now });
    if (id === null) return await endSession(tx, actor).then(() => null);
    if (await openReview(tx, actor, id, now)) return id;
    skipped.push(id); // somebody else took it at this moment
  }
}
