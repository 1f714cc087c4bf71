import { whyNotReview } from '../../catalogue/review-locks/rules.ts';
import { acquireLock, recordLockChange, releaseLock } from '../../catalogue/review-locks/write.ts';
import { awaitsScan } from '../../catalogue/scans/read.ts';
import { assertAllowed, Refused } from '../../platform/errors.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';

/** What was chosen on the reviewer's checklist, by the name of the control: `on`, an option, or a text. */
export type Choices = Readonly<Record<string, string>>;

/** How far a moderator is with a project. */
export interface ReviewProgress {
  choices: Choices;
  stage: string;
  /** The message as they wrote it; null while it is composed from the choices. */
  message: string | null;
}

/** The actor's review of a project; null when they don't review it. */
export async function reviewOf(
  db: Db,
  { user_id }: Pick<Actor, 'user_id'>,
  project_id: string,
): Promise<ReviewProgress | null> {
  const [row] = await db<ReviewProgress[]>`
    select choices, stage, message from reviews where project_id = ${project_id} and reviewer_id = ${user_id}`;
  return row ?? null;
}

/**
 * Begins the review of a project or goes on with it, and takes its lock unless somebody else has it; gives whether the
 * actor has it now. Refuses `moderators_only`, `not_found`.
 */
export async function openReview(tx: Db, actor: Actor, project_id: string, now: Date): Promise<boolean> {
  assertAllowed(
    whyNotReview(actor) ?? ((await awaitsScan(tx, project_id, now)) ? 'files_being_scanned' : null),
  );
  const is_locked = await acquireLock(tx, actor, project_id, { now });
  await tx`
    insert into reviews (project_id, reviewer_id, updated) values (${project_id}, ${actor.user_id}, ${now})
    on conflict (project_id, reviewer_id) do update set updated = excluded.updated`;
  return is_locked;
}

/**
 * Saves how far the review is, and renews the lock; gives whether the actor has it. Refuses `moderators_only`, and
 * `not_found` when the review has ended or the project is gone.
 */
export async function saveReview(
  tx: Db,
  actor: Actor,
  project_id: string,
  { choices, stage, message, now }: ReviewProgress & { now: Date },
): Promise<boolean> {
  assertAllowed(whyNotReview(actor));
  const saved = await tx`
    update reviews set choices = ${tx.json(choices)}, stage = ${stage}, message = ${message}, updated = ${now}
    where project_id = ${project_id} and reviewer_id = ${actor.user_id} returning 1`;
  if (saved.length === 0) throw new Refused('not_found');
  return await acquireLock(tx, actor, project_id, { now });
}

/**
 * Ends the actor's review without a decision: what they found is forgotten, others may review the project at once. Only
 * this end is a line of its own in the audit log. Refuses `moderators_only`.
 */
export async function closeReview(tx: Db, actor: Actor, project_id: string): Promise<void> {
  const gone = await tx`
    delete from reviews where project_id = ${project_id} and reviewer_id = ${actor.user_id} returning 1`;
  const had_lock = await releaseLock(tx, actor, project_id);
  // a page that was closed gave the lock back before
  if (gone.length > 0 && !had_lock) await recordLockChange(tx, actor, project_id, 'released');
}
