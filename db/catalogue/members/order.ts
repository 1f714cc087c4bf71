import { assertAllowed } from '../../platform/errors.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { lockTeam, recordTeamChange } from './locked-team.ts';
import { whyNotManageTeam } from './rules.ts';

/**
 * Puts the members of a team into this order; those that it does not name follow, as they stood. Refuses `not_found`,
 * `not_a_member`, `permission_missing`. Source: api-behaviours §2 (ordering of members).
 */
export async function orderMembers(
  tx: Db,
  actor: Actor,
  team_id: string,
  user_ids: readonly string[],
): Promise<void> {
  const team = await lockTeam(tx, team_id, actor);
  const permission = 'EDIT_MEMBER';
  assertAllowed(whyNotManageTeam(team, permission), { permission });
  const changed = await tx`
    with placed as (
      select user_id, row_number() over (
        order by array_position(${user_ids as string[]}::text[], user_id), ordering, created, user_id) - 1 as place
      from team_members where team_id = ${team_id}
    )
    update team_members m set ordering = placed.place from placed
    where m.team_id = ${team_id} and m.user_id = placed.user_id and m.ordering <> placed.place returning 1`;
  if (changed.length > 0) await recordTeamChange(tx, team, actor, actor.user_id);
}
