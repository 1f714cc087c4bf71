import type { ProfileProject } from '../projects/profile.ts';
import type { Db } from '../sql.ts';
import { mediaUrlOrNull } from '../storage/url.ts';
import { v2ProjectType } from '../tags/rules.ts';
import { shownLoaders } from '../versions/rules.ts';

/** What the list of a collection shows of a project: no long texts, so that a thousand are no burden. */
export interface Card extends ProfileProject {
  /** When it was approved, else made. */
  date_created: string;
}

interface Row extends Omit<Card, 'project_type' | 'icon_url'> {
  project_types: string[];
  mrpack_loaders: string[];
  icon_key: string | null;
}

/** The cards of these projects in the order asked for; whether they may be seen is the caller's question. */
export async function cardsOf(db: Db, ids: readonly string[]): Promise<Card[]> {
  const rows = await db<Row[]>`
    select p.id, p.slug, p.project_types, p.loaders, p.mrpack_loaders, p.title, p.description, p.icon_key,
      p.categories, p.downloads, p.followers, coalesce(p.approved, p.published) as date_created, p.updated,
      u.username as author,
      case when o.id is not null then json_build_object('slug', o.slug, 'name', o.name) end as organization
    from unnest(${ids as string[]}::text[]) with ordinality as asked (id, place)
    join projects p on p.id = asked.id
    left join organizations o on o.id = p.organization
    left join team_members m on m.team_id = coalesce(o.team_id, p.team) and m.is_owner
    left join users u on u.id = m.user_id
    order by asked.place`;
  return rows.map(({ project_types, mrpack_loaders, icon_key, ...row }) => ({
    ...row,
    project_type: v2ProjectType(project_types),
    loaders: shownLoaders({ loaders: row.loaders, mrpack_loaders }),
    icon_url: mediaUrlOrNull(icon_key),
  }));
}
