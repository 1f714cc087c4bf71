import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import { type Actor, accountOf } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { whyNotActInTeam } from '../teams/rules.ts';
import { lockProject } from './locked.ts';
import { ownFields } from './own-fields.ts';
import { whyNotVerifyEnvironment } from './rules.ts';

/**
 * Stores that a member confirmed where the project runs, and when; a change of it forgets that. Refuses `not_found`,
 * `not_a_member`, `permission_missing`, and what `whyNotVerifyEnvironment` says.
 */
export async function verifyEnvironment(tx: Db, actor: Actor, project_id: string, now: Date): Promise<void> {
  const { access } = await lockProject(tx, project_id, actor);
  assertAllowed(whyNotActInTeam(access, 'UPLOAD_VERSION'), { permission: 'UPLOAD_VERSION' });
  const own = await ownFields(tx, project_id);
  if (!own) throw new Refused('not_found');
  assertAllowed(whyNotVerifyEnvironment(own));
  await tx`
    update projects set environment_verified = ${now}, environment_verified_by = ${accountOf(actor)}
    where id = ${project_id}`;
  await recordEvent(tx, {
    name: 'project.edited',
    actor_id: actor.user_id,
    project_id,
    data: { fields: ['environment_verified'] },
  });
}
