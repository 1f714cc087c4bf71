import type { Actor } from '../../platform/people/rules.ts';
import type { ReadContext } from '../../platform/read-context.ts';
import { mediaUrlOrNull } from '../../platform/storage/url.ts';
import { type Membership, whyNotActInOrganization } from '../teams/rules.ts';

/** An organization as its member sees it in the dashboard; one that invited the user is among them. */
export interface MemberOrganization {
  id: string;
  slug: string;
  name: string;
  team_id: string;
  icon_url: string | null;
  /** The user's role in words. */
  role: string;
  is_owner: boolean;
  /** Whether the user accepted the invitation. */
  accepted: boolean;
  /** Accepted members, and projects in every status. */
  members: number;
  projects: number;
  /** Whether the user may put projects into it. */
  may_add_project: boolean;
}

type Row = Omit<MemberOrganization, 'icon_url' | 'may_add_project'> &
  Membership & { icon_key: string | null };

const max_organizations = 1000;

/** The organizations that the actor belongs to or is invited to, invitations first, then by name. Source: screens §A.6. */
export async function organizationsOfMember(
  { sql: db, settings }: ReadContext,
  actor: Actor,
): Promise<MemberOrganization[]> {
  const rows = await db<Row[]>`
    select o.id, o.slug, o.name, o.team_id, o.icon_key, m.role, m.is_owner, m.accepted, m.permissions,
      m.organization_permissions,
      (select count(*)::int from team_members a where a.team_id = o.team_id and a.accepted) as members,
      (select count(*)::int from projects p where p.organization = o.id) as projects
    from team_members m join organizations o on o.team_id = m.team_id
    where m.user_id = ${actor.user_id}
    order by m.accepted, lower(o.name), o.id limit ${max_organizations}`;
  return rows.map(({ icon_key, permissions, organization_permissions, ...row }) => {
    const { is_owner, accepted } = row;
    const organization = { is_owner, accepted, permissions, organization_permissions };
    return {
      ...row,
      icon_url: mediaUrlOrNull(settings, icon_key),
      may_add_project:
        accepted && whyNotActInOrganization({ role: actor.role, organization }, 'ADD_PROJECT') === null,
    };
  });
}
