import type { ProjectRow } from '../../catalogue/projects/row.ts';
import type { Project } from '../../catalogue/projects/shape.ts';
import { displayLoaders, v2ProjectType } from '../../catalogue/tags/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';

/** Last modification in each chunk of `size` searchable projects, ordered by id. */
export async function chunkDates(db: Db, size: number): Promise<string[]> {
  const rows = await db<Array<{ updated: string }>>`
    select max(updated) as updated
    from (select updated, (row_number() over (order by id) - 1) / ${size}::int as part
      from projects where status = 'approved') numbered
    group by part order by part`;
  return rows.map(({ updated }) => updated);
}

/** Fields of a project's URL, and when it last changed. */
export type SitemapProject = Pick<Project, 'id' | 'slug' | 'project_type' | 'loaders' | 'updated'>;

/** The `part`th chunk (from 0) of `size` searchable projects, ordered by id. */
export async function projectChunk(db: Db, part: number, size: number): Promise<SitemapProject[]> {
  const rows = await db<
    Array<Pick<ProjectRow, 'id' | 'slug' | 'project_types' | 'loaders' | 'mrpack_loaders' | 'updated'>>
  >`
    select id, slug, project_types, loaders, mrpack_loaders, updated from projects
    where status = 'approved' order by id limit ${size} offset ${part * size}`;
  return rows.map((row) => ({
    id: row.id,
    slug: row.slug,
    project_type: v2ProjectType(row.project_types),
    loaders: displayLoaders(row),
    updated: row.updated,
  }));
}

/** A page that lists searchable projects: of a user, an organization or a collection. */
export interface ListingPage {
  /** Name, slug or id: the last part of its URL. */
  name: string;
  updated: string;
}

/** Users and organizations with searchable projects, and listed collections with them. */
export type ListingKind = 'user' | 'organization' | 'collection';

const listingQuery = (db: Db, kind: ListingKind) =>
  ({
    user: db`
      select u.id, u.username::text as name, max(p.updated) as updated
      from projects p join team_members m on m.team_id = p.team and m.accepted join users u on u.id = m.user_id
      where p.status = 'approved' group by u.id`,
    organization: db`
      select o.id, o.slug as name, max(p.updated) as updated
      from projects p join organizations o on o.id = p.organization where p.status = 'approved' group by o.id`,
    collection: db`
      select c.id, c.id::text as name, c.updated
      from collections c where c.status = 'listed' and exists (
        select from collection_projects e join projects p on p.id = e.project_id
        where e.collection_id = c.id and p.status = 'approved')`,
  })[kind];

/** Number of such pages. */
export async function countListingPages(db: Db, kind: ListingKind): Promise<number> {
  const [row] = await db<
    [{ count: number }]
  >`select count(*)::int as count from (${listingQuery(db, kind)}) found`;
  return row.count;
}

/** The `part`th chunk (from 0) of `size` of them, ordered by id. */
export const listingPages = (db: Db, kind: ListingKind, part: number, size: number): Promise<ListingPage[]> =>
  db<ListingPage[]>`
    select name, updated from (${listingQuery(db, kind)}) found order by id limit ${size} offset ${part * size}`.then(
    (rows) => [...rows],
  );
