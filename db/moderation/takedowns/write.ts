import { changeStatus } from '../../catalogue/projects/change-status.ts';
import { type LockedProject, lockProject } from '../../catalogue/projects/locked.ts';
import { isUnderLegalHold } from '../../catalogue/projects/read.ts';
import { displayStatus, type Status } from '../../catalogue/projects/rules.ts';
import { whyNotActInTeam } from '../../catalogue/teams/rules.ts';
import { postMessage } from '../../messages/threads/post.ts';
import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import { newId } from '../../platform/id.ts';
import { type Actor, accountOf, whyNotProved } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { type TakedownKind, whyNotAnswer, whyNotRefuseAnswer, whyNotTakeDown } from './rules.ts';

/** Why and by whose notice a project is taken down. */
export interface NewTakedown {
  kind?: TakedownKind;
  /** What the members of the project read. */
  reason: string;
  /** The number of the notice or order; empty without one. */
  reference?: string;
}

/** The columns that decide what can be done with a takedown. */
interface Row {
  id: string;
  project_id: string | null;
  status_before: Status;
  ended: string | null;
  counter_notice: string | null;
  counter_refused: string | null;
}

/**
 * Puts a locked project under legal hold: hidden like a rejected one, but requests get the reason (451), and its files are
 * blocked. Gives the takedown's id. Refuses `moderators_only`, `proof_required`,
 * `already_held`. Source: screens §A.0 (16).
 */
export async function takeDown(
  tx: Db,
  actor: Actor,
  project: LockedProject,
  { kind = 'order', reason, reference = '', now }: NewTakedown & { now: Date },
): Promise<string> {
  assertAllowed(whyNotTakeDown(actor) ?? whyNotProved(actor, now));
  if (await isUnderLegalHold(tx, project.id)) throw new Refused('already_held');
  const status_before = displayStatus(project);
  await changeStatus(tx, actor, project, { to: 'rejected', api: 3, now, notifies: false });
  const id = newId();
  const who = { placed: now, placed_by: accountOf(actor) };
  const what = { kind, reason, reference, status_before };
  const { title } = await detailsOf(tx, project.id);
  await tx`insert into takedowns ${tx({ id, project_id: project.id, project_title: title, ...what, ...who })}`;
  await recordHold(tx, actor, project.id);
  await recordTakedown(tx, actor, project.id, { takedown_id: id, state: 'placed' });
  return id;
}

/** Ends the takedown of a locked project and restores its status. Refuses `moderators_only`, `not_held`. */
export async function restoreProject(tx: Db, actor: Actor, project: LockedProject, now: Date): Promise<void> {
  assertAllowed(whyNotTakeDown(actor));
  const [ended] = await tx<Array<{ id: string; status_before: Status }>>`
    update takedowns set ${tx({ ended: now, ended_by: accountOf(actor) })}
    where project_id = ${project.id} and ended is null returning id, status_before`;
  if (!ended) throw new Refused('not_held');
  await recordHold(tx, actor, project.id);
  await changeStatus(tx, actor, project, { to: ended.status_before, api: 3, now, notifies: false });
  await recordTakedown(tx, actor, project.id, { takedown_id: ended.id, state: 'ended' });
}

/**
 * Decides about a takedown by its id: `restore` ends it, else its counter-notice is refused. The message, if there is one,
 * is posted to the project's thread. Refuses `moderators_only`, `not_found`, `takedown_over`, `no_counter_notice`.
 */
export async function decideTakedown(
  tx: Db,
  actor: Actor,
  id: string,
  { restores, message, now }: { restores: boolean; message: string; now: Date },
): Promise<void> {
  assertAllowed(whyNotTakeDown(actor));
  const found = await lockTakedown(tx, id);
  if (found.ended !== null || found.project_id === null) throw new Refused('takedown_over');
  const project = await lockProject(tx, found.project_id, actor);
  if (!restores) {
    assertAllowed(whyNotRefuseAnswer(found));
    await tx`update takedowns set counter_refused = ${now} where id = ${id}`;
    await recordHold(tx, actor, project.id);
  }
  if (message !== '') {
    const { thread_id } = await detailsOf(tx, project.id);
    await postMessage(tx, actor, thread_id, { type: 'text', body: message }, now);
  }
  if (restores) await restoreProject(tx, actor, project, now);
}

/**
 * Records what a member with EDIT_DETAILS answers to the takedown of a locked project; once for each takedown. Refuses
 * `not_a_member`, `permission_missing`, `not_held`, `counter_notice_sent`.
 */
export async function sendCounterNotice(
  tx: Db,
  actor: Actor,
  project: LockedProject,
  { notice, now }: { notice: string; now: Date },
): Promise<void> {
  assertAllowed(whyNotActInTeam(project.access, 'EDIT_DETAILS'), { permission: 'EDIT_DETAILS' });
  const [found] = await tx<Row[]>`
    select * from takedowns where project_id = ${project.id} and ended is null for update`;
  if (!found) throw new Refused('not_held');
  assertAllowed(whyNotAnswer(found));
  const answer = { counter_notice: notice, counter_sent: now, counter_by: accountOf(actor) };
  await tx`update takedowns set ${tx(answer)} where id = ${found.id}`;
  await recordHold(tx, actor, project.id);
}

async function lockTakedown(tx: Db, id: string): Promise<Row> {
  const [row] = await tx<Row[]>`select * from takedowns where id = ${id} for update`;
  if (!row) throw new Refused('not_found');
  return row;
}

async function detailsOf(tx: Db, project_id: string): Promise<{ title: string; thread_id: string }> {
  const [row] = await tx<Array<{ title: string; thread_id: string }>>`
    select title, thread_id from projects where id = ${project_id}`;
  return row!;
}

/** From this event the members hear of it: with the reason and how to answer, which a change of the status does not say. */
async function recordTakedown(
  tx: Db,
  actor: Actor,
  project_id: string,
  data: { takedown_id: string; state: 'placed' | 'ended' },
): Promise<void> {
  await recordEvent(tx, { name: 'project.takedown_changed', actor_id: actor.user_id, project_id, data });
}

/** A takedown has its own event, because the status may stay the same and file servers must know. */
async function recordHold(tx: Db, actor: Actor, project_id: string): Promise<void> {
  await recordEvent(tx, {
    name: 'project.edited',
    actor_id: actor.user_id,
    project_id,
    data: { fields: ['legal_hold'] },
  });
}
