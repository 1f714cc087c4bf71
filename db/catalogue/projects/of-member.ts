import type { Actor } from '../../platform/people/rules.ts';
import type { ReadContext } from '../../platform/read-context.ts';
import { mediaUrlOrNull } from '../../platform/storage/url.ts';
import { displayLoaders, v2ProjectType } from '../tags/rules.ts';
import { membership } from '../teams/access.ts';
import { type Membership, whyNotActInTeam } from '../teams/rules.ts';
import type { Donation } from './fields.ts';
import { displayStatus, type Status, whyNotEditTogether } from './rules.ts';
import { type BulkLinkColumn, bulkLinks } from './stored-fields.ts';

/** A project as a member sees it in the dashboard. */
export interface MemberProject extends Record<BulkLinkColumn, string | null> {
  id: string;
  slug: string;
  title: string;
  icon_url: string | null;
  /** As v2 says it, and every type its versions have. */
  project_type: string;
  project_types: string[];
  loaders: string[];
  status: Status;
  downloads: number;
  followers: number;
  updated: string;
  organization: { slug: string; name: string } | null;
  categories: string[];
  additional_categories: string[];
  donation_urls: Donation[];
  /** Whether the member may edit it together with others. */
  editable: boolean;
  /** Whether the member may see its analytics. */
  counted: boolean;
}

interface Row extends Omit<MemberProject, 'icon_url' | 'project_type' | 'editable' | 'counted'> {
  icon_key: string | null;
  archived: boolean;
  mrpack_loaders: string[];
  project: Membership | null;
  ours: Membership | null;
}

/** Maximum projects in one dashboard: only admins may have more. */
const max_projects = 1000;

/**
 * The projects of all teams and organizations that the actor joined, in every status, the last updated first. One
 * statement. Source: screens §A.6.
 */
export async function projectsOfMember(
  { sql: db, settings }: ReadContext,
  actor: Actor,
): Promise<MemberProject[]> {
  const rows = await db<Row[]>`
    with joined as (select team_id from team_members where user_id = ${actor.user_id} and accepted)
    select p.id, p.slug, p.title, p.icon_key, p.project_types, p.loaders, p.mrpack_loaders, p.status, p.archived,
      p.downloads, p.followers, p.updated, p.categories, p.additional_categories,
      ${db(bulkLinks.map((column) => `p.${column}`))}, p.donation_urls, ${membership(db, 'mine')} as project, ${membership(db, 'theirs')} as ours,
      case when o.id is not null then json_build_object('slug', o.slug, 'name', o.name) end as organization
    from (
      select id from projects where team in (select team_id from joined)
      union
      select id from projects
      where organization in (select id from organizations where team_id in (select team_id from joined))
    ) own
    join projects p on p.id = own.id
    left join team_members mine on mine.team_id = p.team and mine.user_id = ${actor.user_id}
    left join organizations o on o.id = p.organization
    left join team_members theirs on theirs.team_id = o.team_id and theirs.user_id = ${actor.user_id}
    order by p.updated desc, p.id limit ${max_projects}`;
  return rows.map(({ icon_key, archived, mrpack_loaders, project, ours, ...row }) => ({
    ...row,
    icon_url: mediaUrlOrNull(settings, icon_key),
    project_type: v2ProjectType(row.project_types),
    loaders: displayLoaders({ loaders: row.loaders, mrpack_loaders }),
    status: displayStatus({ status: row.status, archived }),
    editable: whyNotEditTogether({ role: actor.role, project, organization: ours }) === null,
    counted: whyNotActInTeam({ role: actor.role, project, organization: ours }, 'VIEW_ANALYTICS') === null,
  }));
}
