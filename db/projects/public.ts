import type { Db } from '../sql.ts';
import { v2ProjectType } from '../tags/rules.ts';
import { shownLoaders } from '../versions/rules.ts';
import { type ProjectRow, projectOf, selectRows } from './row.ts';
import type { Project } from './shape.ts';

/**
 * The newest `count` searchable projects in which the user has a place, or that the organization owns, the one made
 * public last first. What strangers may know, whoever asks. Source: api-behaviours §4.
 */
export async function newestOf(
  db: Db,
  whose: { user_id: string } | { organization_id: string },
  count: number,
): Promise<Project[]> {
  const theirs =
    'user_id' in whose
      ? db`p.team in (select team_id from team_members where user_id = ${whose.user_id} and accepted)`
      : db`p.organization = ${whose.organization_id}`;
  const rows = await db<ProjectRow[]>`
    ${selectRows(db)} where ${theirs} and p.status = 'approved'
    order by coalesce(p.approved, p.published) desc, p.id limit ${count}`;
  return rows.map(projectOf);
}

/** When one of the projects in each list of `size` searchable ones, in order of their ids, changed last. */
export async function partsOf(db: Db, size: number): Promise<string[]> {
  const rows = await db<Array<{ updated: string }>>`
    select max(updated) as updated
    from (select updated, (row_number() over (order by id) - 1) / ${size}::int as part
      from projects where status = 'approved') numbered
    group by part order by part`;
  return rows.map(({ updated }) => updated);
}

/** What the address of a project's page is made of, and when it changed last. */
export type Listed = Pick<Project, 'id' | 'slug' | 'project_type' | 'loaders' | 'updated'>;

/** The `part`th (from 0) list of `size` searchable projects in order of their ids. */
export async function partOf(db: Db, part: number, size: number): Promise<Listed[]> {
  const rows = await db<
    Array<Pick<ProjectRow, 'id' | 'slug' | 'project_types' | 'loaders' | 'mrpack_loaders' | 'updated'>>
  >`
    select id, slug, project_types, loaders, mrpack_loaders, updated from projects
    where status = 'approved' order by id limit ${size} offset ${part * size}`;
  return rows.map((row) => ({
    id: row.id,
    slug: row.slug,
    project_type: v2ProjectType(row.project_types),
    loaders: shownLoaders(row),
    updated: row.updated,
  }));
}

/** Who stands for a project (its organization, else its owner) and where its icon lies, as it was given. */
export interface Face {
  maker: string | null;
  by_organization: boolean;
  icon_key: string | null;
}

/** The face of a project; who may see it is the caller's question. */
export async function faceOf(db: Db, project_id: string): Promise<Face> {
  const [row] = await db<Face[]>`
    select coalesce(o.name, u.username::text) as maker, o.id is not null as by_organization,
      coalesce(p.raw_icon_key, p.icon_key) as icon_key
    from projects p
    left join organizations o on o.id = p.organization
    left join team_members m on m.team_id = p.team and m.is_owner
    left join users u on u.id = m.user_id
    where p.id = ${project_id}`;
  return row ?? { maker: null, by_organization: false, icon_key: null };
}
