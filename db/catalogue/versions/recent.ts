import type { Db } from '../../platform/postgres/sql.ts';
import { safeHtml } from '../../platform/text/render.ts';
import { displayLoaders } from '../tags/rules.ts';
import { comesSecond } from './address.ts';
import { listedStatuses } from './rules.ts';
import type { Version } from './shape.ts';

/** A version with the fields of a feed entry. */
export interface RecentVersion
  extends Pick<
    Version,
    'id' | 'name' | 'version_number' | 'version_type' | 'date_published' | 'game_versions' | 'loaders'
  > {
  author: string;
  /** The changelog as HTML. */
  html: string;
  /** Whether its URL ends in its id: another version comes first by its number. Source: specification §2. */
  by_id: boolean;
}

interface Row extends Omit<RecentVersion, 'html'> {
  mrpack_loaders: string[];
  changelog: string;
  changelog_html: string;
  changelog_version: number;
}

/** The `count` newest listed and archived versions of a project. The caller checks whether the project is visible. */
export async function recent(db: Db, project_id: string, count: number): Promise<RecentVersion[]> {
  const listed = listedStatuses as string[];
  const rows = await db<Row[]>`
    select v.id, v.name, v.version_number, v.version_type, v.date_published, v.game_versions, v.loaders,
      v.mrpack_loaders, v.changelog, v.changelog_html, v.changelog_version, u.username as author,
      ${comesSecond(db, db`v`)} as by_id
    from versions v join users u on u.id = v.author_id
    where v.project_id = ${project_id} and v.status = any(${listed})
    order by v.date_published desc, v.id desc limit ${count}`;
  return rows.map(({ mrpack_loaders, changelog, changelog_html, changelog_version, ...row }) => ({
    ...row,
    loaders: displayLoaders({ ...row, mrpack_loaders }),
    html: safeHtml({ source: changelog, html: changelog_html, version: changelog_version }),
  }));
}
