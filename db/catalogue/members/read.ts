import { usersByIdsOrNames } from '../../platform/people/read.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { User } from '../../platform/people/shape.ts';
import type { ReadContext } from '../../platform/read-context.ts';
import { type Visibility, whyNotSeeOrganization } from '../organizations/rules.ts';
import { type Status, whyNotSeeProject } from '../projects/rules.ts';
import { accessToMany } from '../teams/access.ts';
import { type Access, anonymous, isMember, roleText, whyNotSeeMember } from '../teams/rules.ts';
import type { TeamMember, TeamMemberV3 } from '../teams/shape.ts';

/** A member as visible to one viewer: fields hidden from outsiders are already null. */
export interface Member {
  team_id: string;
  user_id: string;
  user: User;
  role: string;
  is_owner: boolean;
  accepted: boolean;
  permissions: number | null;
  organization_permissions: number | null;
  payouts_split: number | null;
  ordering: number;
}

interface Row extends Omit<Member, 'user'> {
  /** The project of this team; null for an organization's team. */
  project_id: string | null;
  status: Status | null;
  /** Whether the organization of this team has a searchable project. */
  searchable: boolean;
}

/** Maximum number of members in one response. */
const max_members = 5000;

/**
 * The members of the teams that `actor` may see, sorted by ordering; teams of hidden projects and organizations give
 * none, as if they did not exist. `alone`: a request for a single team, where invitees see their own invitation.
 * Source: api-behaviours §4; api-v2 §2.4, §9.
 */
export async function membersOf(
  context: ReadContext,
  team_ids: readonly string[],
  actor: Actor | null,
  { alone = false }: { alone?: boolean } = {},
): Promise<Member[]> {
  if (team_ids.length === 0) return [];
  const { sql: db } = context;
  const rows = await db<Row[]>`
    select m.team_id, m.user_id, m.role, m.is_owner, m.accepted, m.permissions, m.organization_permissions,
      m.payouts_split::float8 as payouts_split, m.ordering, p.id as project_id, p.status,
      exists (select from projects o join organizations on organizations.id = o.organization
        where organizations.team_id = m.team_id and o.status = 'approved') as searchable
    from team_members m left join projects p on p.team = m.team_id
    where m.team_id = any(${team_ids as string[]})
    order by m.ordering, m.created, m.user_id
    limit ${max_members}`;
  const projects = [...new Set(rows.flatMap(({ project_id }) => project_id ?? []))];
  const access = await accessToMany(db, projects, actor);
  const teams = Map.groupBy(rows, ({ team_id }) => team_id);
  const known = rows.flatMap((row) => {
    const team = teams.get(row.team_id)!;
    const viewer = accessOf(row, team, access, actor);
    if (
      row.status
        ? whyNotSeeProject(row.status, viewer)
        : whyNotSeeOrganization(visibilityOf(team, viewer), actor)
    )
      return [];
    const inside = isMember(viewer);
    const viewer_id = alone && actor ? actor.user_id : null;
    if (whyNotSeeMember(row, { user_id: viewer_id, inside })) return [];
    return [
      inside ? row : { ...row, permissions: null, organization_permissions: null, payouts_split: null },
    ];
  });
  const users = await usersByIdsOrNames(context, [...new Set(known.map(({ user_id }) => user_id))]);
  const byId = new Map(users.map((user) => [user.id, user]));
  return known.map((row) => ({ ...row, user: byId.get(row.user_id)! }));
}

/** A list of members for each of these teams that gives any, in the order of the ids. */
export async function membersByTeam(
  context: ReadContext,
  team_ids: readonly string[],
  actor: Actor | null,
): Promise<Member[][]> {
  const teams = Map.groupBy(await membersOf(context, team_ids, actor), ({ team_id }) => team_id);
  return [...new Set(team_ids)].flatMap((id) => (teams.has(id) ? [teams.get(id)!] : []));
}

/** What the visibility of an organization depends on, by the rows of its team. */
const visibilityOf = (team: readonly Row[], viewer: Access): Visibility => ({
  searchable: team[0]!.searchable,
  accepted_members: team.filter(({ accepted }) => accepted).length,
  mine: viewer.organization !== null,
});

function accessOf(row: Row, team: Row[], found: Map<string, Access>, actor: Actor | null): Access {
  if (row.project_id) return found.get(row.project_id) ?? anonymous;
  const own_access = team.find(({ user_id }) => user_id === actor?.user_id);
  const organization = own_access ? { ...own_access, permissions: own_access.permissions ?? 0 } : null;
  return { ...anonymous, role: actor?.role ?? null, organization };
}

/** The member as a v2 response. Source: api-v2 §2.4. */
export const memberOf = ({
  team_id,
  user,
  role,
  is_owner,
  permissions,
  accepted,
  payouts_split,
  ordering,
}: Member): TeamMember => ({
  team_id,
  user,
  role: roleText({ role, is_owner }),
  permissions,
  accepted,
  payouts_split,
  ordering,
});

/** The member as a v3 response, with the stored role text. Source: api-v3 §2.6. */
export const memberV3Of = (member: Member): TeamMemberV3 => ({
  ...memberOf(member),
  role: member.role,
  is_owner: member.is_owner,
  organization_permissions: member.organization_permissions,
});
