import { newId } from '../../platform/id.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { allPermissions } from './rules.ts';

/**
 * Creates a team in the caller's transaction and gives its id. The owner has all permissions; without an owner the
 * team is empty, as for a project inside an organization. Source: api-behaviours §2.
 */
export async function create(
  tx: Db,
  owner_id: string | null,
  organization_permissions: number | null = null,
): Promise<string> {
  const team_id = newId();
  await tx`insert into teams (id) values (${team_id})`;
  if (owner_id === null) return team_id;
  const row = {
    team_id,
    user_id: owner_id,
    role: 'Member',
    is_owner: true,
    permissions: allPermissions,
    organization_permissions,
    accepted: true,
    payouts_split: 100,
    ordering: 0,
  };
  await tx`insert into team_members ${tx(row)}`;
  return team_id;
}
