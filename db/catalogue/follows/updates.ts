import type { ReadContext } from '../../platform/read-context.ts';
import { mediaUrlOrNull } from '../../platform/storage/url.ts';
import { listedVersionStatuses, statuses, statusTraits } from '../projects/rules.ts';
import { displayLoaders, v2ProjectType } from '../tags/rules.ts';

/** The newest version of a project that somebody follows. */
export interface FollowedUpdate {
  id: string;
  slug: string;
  title: string;
  icon_url: string | null;
  /** As v2 says it, and every type its versions have. */
  project_type: string;
  project_types: string[];
  loaders: string[];
  version: { id: string; version_number: string };
  /** When that version was published. */
  at: string;
}

interface Row extends Omit<FollowedUpdate, 'icon_url' | 'project_type'> {
  icon_key: string | null;
  mrpack_loaders: string[];
}

const public_statuses = statuses.filter((status) => statusTraits[status].searchable);

/** How many follows are looked at: as many as the list of follows has. */
const max_follows = 1000;

/**
 * The public projects that a user follows with the newest listed version of each, the last published first, at most
 * `limit`. One statement. Projects without a version are left out.
 */
export async function followedUpdates(
  { sql: db, settings }: Pick<ReadContext, 'sql' | 'settings'>,
  user_id: string,
  limit: number,
): Promise<FollowedUpdate[]> {
  const rows = await db<Row[]>`
    select p.id, p.slug, p.title, p.icon_key, p.project_types, p.loaders, p.mrpack_loaders,
      json_build_object('id', v.id, 'version_number', v.version_number) as version, v.date_published as at
    from (
      select project_id from follows where user_id = ${user_id} order by created desc limit ${max_follows}
    ) f
    join projects p on p.id = f.project_id and p.status = any(${public_statuses})
    join lateral (
      select id, version_number, date_published from versions
      where project_id = p.id and status = any(${[...listedVersionStatuses]})
      order by date_published desc, id limit 1
    ) v on true
    order by v.date_published desc, p.id limit ${limit}`;
  return rows.map(({ icon_key, mrpack_loaders, ...row }) => ({
    ...row,
    icon_url: mediaUrlOrNull(settings, icon_key),
    project_type: v2ProjectType(row.project_types),
    loaders: displayLoaders({ loaders: row.loaders, mrpack_loaders }),
  }));
}
