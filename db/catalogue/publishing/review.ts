import { assertAllowed, Refused } from '../../platform/errors.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { changeStatus } from '../projects/change-status.ts';
import { lockProject } from '../projects/locked.ts';
import { displayStatus } from '../projects/rules.ts';
import { permissionsOf, whyNotActInTeam } from '../teams/rules.ts';

/**
 * Submits a project for review from a screen: one that was rejected or withheld only when it is `confirmed` that what the
 * moderators said was addressed. One that is under review keeps its place. Refuses `not_found` (for outsiders too),
 * `permission_missing`, `submit_unconfirmed`, `move_refused`, `version_required` and the required points of the checklist.
 */
export async function submitProject(
  tx: Db,
  actor: Actor,
  project_id: string,
  { confirmed, now }: { confirmed: boolean; now: Date },
): Promise<void> {
  const project = await editable(tx, actor, project_id);
  const from = displayStatus(project);
  if (from === 'processing') throw new Refused('move_refused', { from, to: 'processing' });
  if ((from === 'rejected' || from === 'withheld') && !confirmed) throw new Refused('submit_unconfirmed');
  await changeStatus(tx, actor, project, { to: 'processing', api: 3, now });
}

/**
 * Takes a project back from review. Refuses `not_found` (for outsiders too), `permission_missing`, and `move_refused`
 * when it is not under review: one that was approved meanwhile stays public.
 */
export async function withdrawProject(tx: Db, actor: Actor, project_id: string, now: Date): Promise<void> {
  const project = await editable(tx, actor, project_id);
  const from = displayStatus(project);
  if (from !== 'processing') throw new Refused('move_refused', { from, to: 'draft' });
  await changeStatus(tx, actor, project, { to: 'draft', api: 3, now });
}

async function editable(tx: Db, actor: Actor, project_id: string) {
  const project = await lockProject(tx, project_id, actor);
  if (permissionsOf(project.access) === null) throw new Refused('not_found');
  assertAllowed(whyNotActInTeam(project.access, 'EDIT_DETAILS'), { permission: 'EDIT_DETAILS' });
  return project;
}
