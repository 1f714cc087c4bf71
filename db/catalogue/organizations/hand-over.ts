import type { Db } from '../../platform/postgres/sql.ts';
import { allPermissions } from '../teams/rules.ts';

/**
 * Takes locked projects out of their organization and gives them to a user as the owner: a row that exists is
 * promoted, otherwise there is a new one without a share of the payouts. Source: api-behaviours §2.
 */
export async function handOver(tx: Db, project_ids: readonly string[], user_id: string): Promise<void> {
  if (project_ids.length === 0) return;
  const ids = project_ids as string[];
  await tx`
    update team_members set is_owner = false
    where is_owner and user_id <> ${user_id} and team_id in (select team from projects where id = any(${ids}))`;
  await tx`
    insert into team_members (team_id, user_id, role, is_owner, permissions, accepted, payouts_split)
    select team, ${user_id}, 'Inherited Owner', true, ${allPermissions}, true, 0 from projects where id = any(${ids})
    on conflict (team_id, user_id) do update set role = excluded.role, is_owner = true,
      permissions = excluded.permissions, organization_permissions = null, accepted = true`;
  await tx`update projects set organization = null where id = any(${ids})`;
}
