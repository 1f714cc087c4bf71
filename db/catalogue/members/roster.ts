import type { ReadContext } from '../../platform/read-context.ts';
import { mediaUrlOrNull } from '../../platform/storage/url.ts';
import type { Membership } from '../teams/rules.ts';

/** A row of a team with everything that those who manage it see. */
export interface RosterRow extends Membership {
  user: { id: string; username: string; avatar_url: string | null };
  role: string;
  payouts_split: number;
  ordering: number;
  /** The row in the team of the organization that owns the project; null for the team of an organization. */
  organization: Membership | null;
}

interface Row extends Omit<RosterRow, 'user'> {
  user_id: string;
  username: string;
  avatar_key: string | null;
}

/**
 * All rows of a team, invitations too, the owner first, then by their order. Asks nobody who may see them: ask the rule
 * of the page first.
 */
export async function rosterOf({ sql: db, settings }: ReadContext, team_id: string): Promise<RosterRow[]> {
  const rows = await db<Row[]>`
    select u.id as user_id, u.username, u.avatar_key, m.is_owner, m.accepted, m.permissions,
      m.organization_permissions, m.role, m.payouts_split::float8 as payouts_split, m.ordering,
      case when ours.user_id is not null then json_build_object('is_owner', ours.is_owner, 'accepted', ours.accepted,
        'permissions', ours.permissions, 'organization_permissions', ours.organization_permissions) end as organization
    from team_members m join users u on u.id = m.user_id
    left join projects p on p.team = m.team_id
    left join organizations o on o.id = p.organization
    left join team_members ours on ours.team_id = o.team_id and ours.user_id = m.user_id
    where m.team_id = ${team_id}
    order by m.is_owner desc, m.ordering, m.created, m.user_id`;
  return rows.map(({ user_id, username, avatar_key, ...row }) => ({
    ...row,
    user: { id: user_id, username, avatar_url: mediaUrlOrNull(settings, avatar_key) },
  }));
}
