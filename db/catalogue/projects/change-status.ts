import { notify } from '../../messages/notifications/write.ts';
import { addMessage } from '../../messages/threads/write.ts';
import { assertAllAllowed } from '../../platform/assert-all-allowed.ts';
import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import { type Actor, accountOf, isModerator } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { whyNotSubmit } from '../checklist/rules.ts';
import { writePackFiles } from '../external-files/message.ts';
import { lockForUpdate } from '../review-locks/read.ts';
import { whyNotMoveLocked } from '../review-locks/rules.ts';
import { removeLock } from '../review-locks/write.ts';
import type { Access } from '../teams/rules.ts';
import { checklistFacts } from './checklist-facts.ts';
import type { LockedProject } from './locked.ts';
import { isUnderLegalHold } from './read.ts';
import { saveReviewSnapshot } from './review-snapshot.ts';
import { displayStatus, listedVersionStatuses, type Status, statusTraits, whyNotMove } from './rules.ts';

interface StatusChange {
  to: Status;
  api: 2 | 3;
  now: Date;
  /** False when the caller tells the members. */
  notifies?: boolean;
  /** A project that comes back into review waits since it was submitted before. */
  keeps_place?: boolean;
}

/**
 * Changes the status of a locked project. `archived` only adds the disclosure, which v2 removes again with any other
 * status (unless it is locked) and v3 keeps; the first entry to the approved group sets `approved`, the first public status `first_public`, each submission sets `queued`, unless the
 * project `keeps_place` in the queue of reviews, and clears the moderator's message. The thread tells each change of the stored status, and the members hear of one by somebody
 * else, unless `notifies` is false: then its caller does that. Refuses what `whyNotMove` says, and `unavailable_for_legal_reasons` during a legal hold,
 * `disclosure_locked`, `review_locked` to moderators while another one reviews it, and the required points of the publishing checklist to members. Source: api-behaviours §3.
 */
export async function changeStatus(
  tx: Db,
  actor: Actor,
  project: LockedProject,
  { to, api, now, notifies = true, keeps_place = false }: StatusChange,
): Promise<void> {
  const from = displayStatus(project);
  const has_version = await hasVersion(tx, project.id);
  assertAllowed(whyNotMove(from, to, { access: project.access, has_version }), {
    from,
    to,
    permission: 'EDIT_DETAILS',
  });
  if (to === 'processing' && !isModerator(actor)) await assertSubmittable(tx, project.id);
  if (from === 'processing' && to !== from) await endReview(tx, actor, project.id, now);
  if (from === 'rejected' && (await isUnderLegalHold(tx, project.id)))
    throw new Refused('unavailable_for_legal_reasons');
  const lock = isModerator(actor) ? 'unlocked' : await archivedLock(tx, project.id);
  if (to === 'archived' && lock === 'fully_locked')
    throw new Refused('disclosure_locked', { type: 'archived' });
  const columns =
    to === 'archived'
      ? { archived: true }
      : {
          ...statusTimestamps(project, { to, now, keeps_place }),
          ...(api === 2 && lock === 'unlocked' ? { archived: false } : {}),
        };
  await tx`update projects set ${tx(columns as never)} where id = ${project.id}`;
  const reached = displayStatus({ ...project, ...columns } as LockedProject);
  if (reached !== from || project.archived !== (columns.archived ?? project.archived)) {
    await recordEvent(tx, {
      name: 'project.moved',
      actor_id: actor.user_id,
      project_id: project.id,
      data: { from, to: reached, ...('first_public' in columns && { first: true as const }) },
    });
  }
  if (reached === 'processing' && from !== reached) await writePackFiles(tx, project.id, now);
  if (isModerator(actor) && statusTraits[reached].approved && !statusTraits[from].approved)
    await saveReviewSnapshot(tx, project.id, now);
  if ('status' in columns && columns.status !== project.status)
    await tellMembers(tx, actor, project, { to: columns.status, now, notifies });
}

/** A project that leaves review is locked no more. Refuses `review_locked` to moderators: members may withdraw theirs. */
async function endReview(tx: Db, actor: Actor, project_id: string, now: Date): Promise<void> {
  const lock = await lockForUpdate(tx, project_id);
  if (lock && isModerator(actor))
    assertAllowed(whyNotMoveLocked(lock, actor, now), { username: lock.username });
  if (lock) await removeLock(tx, project_id);
}

/** Refuses the required points of the publishing checklist that are open. Source: specification §5. */
async function assertSubmittable(tx: Db, project_id: string): Promise<void> {
  const facts = await checklistFacts(tx, project_id);
  if (facts) assertAllAllowed(whyNotSubmit(facts));
}

/**
 * Writes the change to the project's thread and, when the actor is no joined member of the project's team, notifies
 * its joined members; without an actor the time has come that somebody scheduled. Source: api-behaviours §3 (side effects).
 */
export async function tellMembers(
  tx: Db,
  actor: Actor | null,
  { id, team, status, access }: Pick<LockedProject, 'id' | 'team' | 'status'> & { access?: Access },
  { to, now, notifies = true }: { to: Status; now: Date; notifies?: boolean },
): Promise<void> {
  const [row] = await tx<Array<{ thread_id: string }>>`select thread_id from projects where id = ${id}`;
  const body = { old_status: status, new_status: to };
  const author = { author_id: accountOf(actor), hide_identity: isModerator(actor) };
  await addMessage(tx, row!.thread_id, { type: 'status_change', body, ...author }, now);
  if (!notifies || access?.project?.accepted) return;
  const members = await tx<Array<{ user_id: string }>>`
    select user_id from team_members where team_id = ${team} and accepted`;
  await notify(
    tx,
    members.map(({ user_id }) => user_id),
    { type: 'status_change', body: { project_id: id, ...body } },
  );
}

/** Whether a project that gets this status is public then for the first time. */
export const isFirstPublic = ({ first_public }: Pick<LockedProject, 'first_public'>, to: Status): boolean =>
  first_public === null && statusTraits[to].searchable;

function statusTimestamps(
  { approved, queued, first_public }: LockedProject,
  { to, now, keeps_place }: Pick<StatusChange, 'to' | 'now' | 'keeps_place'>,
) {
  const since = keeps_place ? (queued ?? now) : now;
  return {
    status: to,
    scheduled_for: null,
    ...(to === 'rejected' ? {} : { malware: false }),
    ...(statusTraits[to].approved && approved === null ? { approved: now } : {}),
    ...(isFirstPublic({ first_public }, to) ? { first_public: now } : {}),
    ...(to === 'processing'
      ? { queued: since, moderation_message: null, moderation_message_body: null }
      : {}),
  };
}

async function hasVersion(tx: Db, project_id: string): Promise<boolean> {
  const [row] = await tx`
    select 1 from versions where project_id = ${project_id} and status = any(${[...listedVersionStatuses]}) limit 1`;
  return row !== undefined;
}

/** How the disclosure `archived` is locked. */
async function archivedLock(tx: Db, project_id: string): Promise<string> {
  const [row] = await tx<Array<{ lock_status: string }>>`
    select lock_status from disclosures where project_id = ${project_id} and type = 'archived'`;
  return row?.lock_status ?? 'unlocked';
}
