import { assertAllowed, Refused } from '../errors.ts';
import { recordEvent } from '../events/write.ts';
import { type Actor, isModerator } from '../people/rules.ts';
import type { Db } from '../sql.ts';
import { changeStatus } from './change-status.ts';
import type { LockedProject } from './locked.ts';
import { isUnderLegalHold } from './read.ts';
import { displayStatus, type Status } from './rules.ts';

/**
 * Puts a locked project under legal hold: hidden like a rejected one, but requests get the reason (451). Refuses
 * `moderators_only`, `already_held`. Source: screens §A.0 (16).
 */
export async function placeLegalHold(
  tx: Db,
  actor: Actor,
  project: LockedProject,
  { reason, now }: { reason: string; now: Date },
): Promise<void> {
  assertAllowed(isModerator(actor) ? null : 'moderators_only');
  if (await isUnderLegalHold(tx, project.id)) throw new Refused('already_held');
  const status_before = displayStatus(project);
  await changeStatus(tx, actor, project, { to: 'rejected', api: 3, now });
  await tx`insert into legal_holds ${tx({ project_id: project.id, reason, status_before, since: now })}`;
  await recordHold(tx, actor, project);
}

/** Ends the hold and restores the previous status. Refuses `moderators_only`, `not_held`. */
export async function releaseLegalHold(
  tx: Db,
  actor: Actor,
  project: LockedProject,
  now: Date,
): Promise<void> {
  assertAllowed(isModerator(actor) ? null : 'moderators_only');
  const [on_hold] = await tx<Array<{ status_before: Status }>>`
    delete from legal_holds where project_id = ${project.id} returning status_before`;
  if (!on_hold) throw new Refused('not_held');
  await recordHold(tx, actor, project);
  await changeStatus(tx, actor, project, { to: on_hold.status_before, api: 3, now });
}

/** A hold has its own event, because the status may stay the same and file servers must know. */
async function recordHold(tx: Db, actor: Actor, { id }: LockedProject): Promise<void> {
  await recordEvent(tx, {
    name: 'project.edited',
    actor_id: actor.user_id,
    project_id: id,
    data: { fields: ['legal_hold'] },
  });
}
