import { assertAllowed } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { tellMembers } from '../projects/change-status.ts';
import { lockProject } from '../projects/locked.ts';
import { displayStatus, requestableStatuses, type Status, whyNotScheduleProject } from '../projects/rules.ts';
import { lockVersion } from '../versions/edit.ts';
import { recomputeAggregates } from '../versions/recompute-aggregates.ts';
import { type settableStatuses, whyNotScheduleVersion } from '../versions/rules.ts';

/** When something is released, and the status it then gets. */
interface Release<S> {
  time: Date;
  requested_status: S;
}

/**
 * Hides an approved project until its release (`releaseDue`). Refuses `not_found`, `not_a_member`,
 * `permission_missing`, `requested_status_invalid`, `schedule_unapproved`, `schedule_past`.
 * Source: api-behaviours §17 (13); api-v2 §4.
 */
export async function scheduleProject(
  tx: Db,
  actor: Actor,
  project_id: string,
  { time, requested_status: to, now }: Release<Status> & { now: Date },
): Promise<void> {
  const project = await lockProject(tx, project_id, actor);
  const from = displayStatus(project);
  const state = { status: project.status, approved_once: project.approved !== null };
  assertAllowed(whyNotScheduleProject(state, { to, time, now }, project.access), {
    permission: 'EDIT_DETAILS',
    allowed: requestableStatuses.join(', '),
  });
  const columns = { status: 'scheduled' as const, requested_status: to, scheduled_for: time };
  await tx`update projects set ${tx(columns)} where id = ${project_id}`;
  const ids = { actor_id: actor.user_id, project_id };
  if (project.status === 'scheduled') {
    const fields = ['requested_status', 'scheduled_for'];
    await recordEvent(tx, { name: 'project.edited', ...ids, data: { fields } });
    return;
  }
  await recordEvent(tx, { name: 'project.moved', ...ids, data: { from, to: 'scheduled' } });
  await tellMembers(tx, actor, project, { to: 'scheduled', now });
}

/**
 * Hides a version until its release (`releaseDue`). Refuses `not_found`, `not_a_member`, `permission_missing`,
 * `schedule_past`. Source: api-behaviours §17 (13); api-v2 §5.
 */
export async function scheduleVersion(
  tx: Db,
  actor: Actor,
  version_id: string,
  { time, requested_status, now }: Release<(typeof settableStatuses)[number]> & { now: Date },
): Promise<void> {
  const { project_id, access } = await lockVersion(tx, version_id, actor, 'not_found');
  assertAllowed(whyNotScheduleVersion(access, { time, now }), { permission: 'UPLOAD_VERSION' });
  const columns = { status: 'scheduled' as const, requested_status, scheduled_for: time };
  await tx`update versions set ${tx(columns)} where id = ${version_id}`;
  await recomputeAggregates(tx, project_id);
  const data = { fields: ['status', 'requested_status', 'scheduled_for'] };
  await recordEvent(tx, { name: 'version.edited', actor_id: actor.user_id, project_id, version_id, data });
}
