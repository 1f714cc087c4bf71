import type { Db } from '../../platform/postgres/sql.ts';
import type { ReadContext } from '../../platform/read-context.ts';
import { type Owner, ownedBy } from './by-owner.ts';
import { type ProjectRow, projectOf, selectRows } from './row.ts';
import type { Project } from './shape.ts';

/**
 * The newest `count` searchable projects of a user's teams, or of an organization, latest publication first. Public
 * data only, whoever asks. Source: api-behaviours §4.
 */
export async function newestProjects(
  { sql: db, settings }: ReadContext,
  owner: Owner,
  count: number,
): Promise<Project[]> {
  const rows = await db<ProjectRow[]>`
    ${selectRows(db)} where ${ownedBy(db, owner)}
    order by coalesce(p.approved, p.published) desc, p.id limit ${count}`;
  return rows.map((row) => projectOf(settings, row));
}

/** Byline of a project (its organization, else its owner) and its icon as stored. */
export interface Byline {
  maker: string | null;
  /** The slug of the organization, null when the owner is a user. */
  organization: string | null;
  icon_key: string | null;
}

/** Byline and icon of a project; the caller checks its visibility. */
export async function bylineOf(db: Db, project_id: string): Promise<Byline> {
  const [row] = await db<Byline[]>`
    select coalesce(o.name, u.username::text) as maker, o.slug as organization,
      coalesce(p.raw_icon_key, p.icon_key) as icon_key
    from projects p
    left join organizations o on o.id = p.organization
    left join team_members m on m.team_id = p.team and m.is_owner
    left join users u on u.id = m.user_id
    where p.id = ${project_id}`;
  return row ?? { maker: null, organization: null, icon_key: null };
}
