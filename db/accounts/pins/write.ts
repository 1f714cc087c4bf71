import { assertPermission, lockOrganization, recordEdit } from '../../catalogue/organizations/write.ts';
import type { Owner } from '../../catalogue/projects/by-owner.ts';
import { assertAllowed } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { lockUser } from '../account/edit.ts';
import { pinnable, pinsOf } from './owner.ts';
import { max_pins, whyNotPin } from './rules.ts';

/**
 * Replaces the pins of a user or an organization and gives the former ones. Refuses `not_found`, `not_yours`,
 * `not_a_member`, `permission_missing`, `pin_unknown`, `limit_reached`.
 */
export async function setPins(
  tx: Db,
  actor: Actor,
  owner: Owner,
  project_ids: readonly string[],
): Promise<string[]> {
  if ('user_id' in owner) await lockUser(tx, actor, owner.user_id);
  else assertPermission(await lockOrganization(tx, owner.organization_id, actor), 'EDIT_DETAILS');
  const ids = project_ids as string[];
  const own = await tx<Array<{ id: string }>>`
    select p.id from projects p where p.id = any(${ids}) and ${pinnable(tx, owner)}`;
  assertAllowed(whyNotPin(ids, new Set(own.map(({ id }) => id))), { limit: max_pins });
  const before = await tx<Array<{ project_id: string }>>`
    select project_id from pins where ${pinsOf(tx, owner)} order by place`;
  const former = before.map(({ project_id }) => project_id);
  if (former.join() === ids.join()) return former;
  await tx`delete from pins where ${pinsOf(tx, owner)}`;
  const rows = ids.map((project_id, place) => ({ ...owner, project_id, place }));
  if (rows.length > 0) await tx`insert into pins ${tx(rows)}`;
  if ('organization_id' in owner) await recordEdit(tx, actor, owner.organization_id, ['pins']);
  else {
    const about = { actor_id: actor.user_id, user_id: owner.user_id };
    await recordEvent(tx, { name: 'user.edited', ...about, data: { fields: ['pins'] } });
  }
  return former;
}
