import { changeStatus } from '../../catalogue/projects/change-status.ts';
import { lockProject } from '../../catalogue/projects/locked.ts';
import { displayStatus, type Status } from '../../catalogue/projects/rules.ts';
import { lockForUpdate } from '../../catalogue/review-locks/read.ts';
import { whyNotDecide, whyNotReview } from '../../catalogue/review-locks/rules.ts';
import { removeLock } from '../../catalogue/review-locks/write.ts';
import { postMessage } from '../../messages/threads/post.ts';
import { assertAllowed, Refused } from '../../platform/errors.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { statusAfter, type Verdict, whyNotDecideWith } from './rules.ts';

export interface Decision {
  verdict: Verdict;
  /** The status that the reviewer saw. */
  seen: Status;
  /** To the project's team; empty for none. */
  message: string;
}

/**
 * Decides about a project: its status, the entry and the message in its thread, what its members are notified of, and the end
 * of the lock and of every review of it belong to the caller's transaction. A project that is public already stays as its
 * members set it when it is approved again. Refuses `moderators_only`, `not_found` (a project that was deleted meanwhile
 * too), `review_changed` (412) when its status is another than the reviewer saw, `review_locked` while another moderator
 * holds the lock, `review_message_missing`, and what `changeStatus` and `postMessage` refuse. Source: screens §E.2.
 */
export async function decide(
  tx: Db,
  actor: Actor,
  project_id: string,
  { verdict, seen, message, now }: Decision & { now: Date },
): Promise<void> {
  assertAllowed(whyNotReview(actor));
  const project = await lockProject(tx, project_id, actor);
  const status = displayStatus(project);
  if (status !== seen) throw new Refused('review_changed', { status });
  const lock = await lockForUpdate(tx, project_id);
  if (lock) assertAllowed(whyNotDecide(lock, actor, now), { username: lock.username });
  const text = message.trim();
  assertAllowed(whyNotDecideWith(verdict, text));
  const [row] = await tx<Array<{ requested_status: Status | null; thread_id: string }>>`
    select requested_status, thread_id from projects where id = ${project_id}`;
  const to = statusAfter(verdict, status, row!.requested_status);
  if (to !== status) await changeStatus(tx, actor, project, { to, api: 3, now });
  // after the change: a project under review has no one notified of messages
  if (text)
    await postMessage(tx, actor, row!.thread_id, { type: 'text', body: text }, new Date(now.getTime() + 1));
  await removeLock(tx, project_id);
  await tx`delete from reviews where project_id = ${project_id}`;
}

/**
 * Puts a project back into review that was decided by mistake, as long as it still has the status that the decision left.
 * It keeps its place in the queue, and its members hear of it. Refuses `moderators_only`, `not_found`, `review_changed` (412), and what `changeStatus` refuses.
 */
export async function undoDecision(
  tx: Db,
  actor: Actor,
  project_id: string,
  { seen, now }: { seen: Status; now: Date },
): Promise<void> {
  assertAllowed(whyNotReview(actor));
  const project = await lockProject(tx, project_id, actor);
  const status = displayStatus(project);
  if (status !== seen || status === 'processing') throw new Refused('review_changed', { status });
  await changeStatus(tx, actor, project, { to: 'processing', api: 3, now, keeps_place: true });
}
