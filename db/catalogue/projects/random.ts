import type { ReadContext } from '../../platform/read-context.ts';
import { mediaUrl } from '../../platform/storage/url.ts';
import { displayLoaders, v2ProjectType } from '../tags/rules.ts';

/** Teaser of a random project: icon, name and what its URL needs. */
export interface ProjectTeaser {
  id: string;
  slug: string;
  project_type: string;
  loaders: string[];
  title: string;
  icon_url: string;
}

interface Row extends Omit<ProjectTeaser, 'project_type' | 'icon_url'> {
  project_types: string[];
  mrpack_loaders: string[];
  icon_key: string;
}

/**
 * `count` random searchable projects with an icon: ids are random, so those after a random id are too. `from` is that
 * id. Source: screens §A.4 (home).
 */
export async function randomTeasers(
  { sql: db, settings }: ReadContext,
  count: number,
  from: string,
): Promise<ProjectTeaser[]> {
  const rows = await db<Row[]>`
    select id, slug, project_types, loaders, mrpack_loaders, title, icon_key from (
      (select *, 0 as turn from projects
        where status = 'approved' and icon_key is not null and id >= ${from} order by id limit ${count})
      union all
      (select *, 1 from projects
        where status = 'approved' and icon_key is not null and id < ${from} order by id limit ${count})
    ) picked order by turn, id limit ${count}`;
  return rows.map(({ project_types, mrpack_loaders, icon_key, ...row }) => ({
    ...row,
    project_type: v2ProjectType(project_types),
    loaders: displayLoaders({ loaders: row.loaders, mrpack_loaders }),
    icon_url: mediaUrl(settings, icon_key),
  }));
}
