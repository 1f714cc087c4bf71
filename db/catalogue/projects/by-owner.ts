import type { Db } from '../../platform/postgres/sql.ts';
import type { ReadContext } from '../../platform/read-context.ts';
import { type MediaSettings, mediaUrl, mediaUrlOrNull } from '../../platform/storage/url.ts';
import { containing } from '../../platform/text/like-pattern.ts';
import { displayLoaders, v2ProjectType } from '../tags/rules.ts';
import type { ProfileSort } from './profile-sorts.ts';

/** The owner: a user with a team membership, or an organization. */
export type Owner = { user_id: string } | { organization_id: string };

/** Public projects only: the searchable ones. Source: api-behaviours §4 (user project list). */
export const ownedBy = (db: Db, owner: Owner) =>
  'user_id' in owner
    ? db`p.team in (select team_id from team_members where user_id = ${owner.user_id} and accepted)
        and p.status = 'approved'`
    : db`p.organization = ${owner.organization_id} and p.status = 'approved'`;

export interface OwnerTotals {
  projects: number;
  downloads: number;
  /** Number of projects by type. A project of two types counts in both, one without versions in none. */
  types: Record<string, number>;
  /** The colour of the most downloaded project, as 0xRRGGBB. */
  color: number | null;
}

/** Totals for the header of a profile, in one query. */
export async function totalsOfOwner(db: Db, owner: Owner): Promise<OwnerTotals> {
  const [row] = await db<[OwnerTotals]>`
    with theirs as (select p.id, p.downloads, p.project_types, p.color from projects p where ${ownedBy(db, owner)})
    select (select count(*) from theirs) as projects,
      (select coalesce(sum(downloads), 0)::bigint from theirs) as downloads,
      (select color from theirs order by downloads desc, id limit 1) as color,
      (select coalesce(jsonb_object_agg(type, number), '{}') from (
        select type, count(*) as number from theirs, unnest(project_types) as type group by type
      ) counted) as types`;
  return row;
}

export interface ListOptions {
  /** Only this type; null for all. */
  type: string | null;
  /** Every word must occur in title, slug or summary; ignores case and accents. */
  text: string;
  sort: ProfileSort;
  offset: number;
  limit: number;
}

/** A project in a profile list. */
export interface ProfileProject {
  id: string;
  slug: string;
  project_type: string;
  loaders: string[];
  title: string;
  description: string;
  icon_url: string | null;
  /** Its image: the featured one of its gallery, else the first. */
  picture_url: string | null;
  categories: string[];
  downloads: number;
  followers: number;
  updated: string;
  /** The owner's name, null when the team has none; for an organization's project the organization's owner. */
  author: string | null;
  organization: { slug: string; name: string } | null;
}

/** The stored fields that `toListItem` needs. */
export interface StoredProject extends Omit<ProfileProject, 'project_type' | 'icon_url' | 'picture_url'> {
  project_types: string[];
  mrpack_loaders: string[];
  icon_key: string | null;
  picture_key: string | null;
}

/**
 * The columns of `StoredProject` that need more than the row of the project `p`; use with `joinOwner` after the
 * `from`.
 */
export const teaserColumns = (db: Db) => db`
  (select g.key from gallery g where g.project_id = p.id
    order by g.featured desc, g.ordering, g.created, g.raw_key limit 1) as picture_key,
  u.username as author,
  case when o.id is not null then json_build_object('slug', o.slug, 'name', o.name) end as organization`;

/** Joins the owner of project `p` as `u`, the owning organization as `o` and its owner. */
export const joinOwner = (db: Db) => db`
  left join organizations o on o.id = p.organization
  left join team_members m on m.team_id = coalesce(o.team_id, p.team) and m.is_owner
  left join users u on u.id = m.user_id`;

/** Maps a stored project to a list item. */
export const toListItem = <Row extends StoredProject>(
  settings: MediaSettings,
  { project_types, mrpack_loaders, icon_key, picture_key, ...row }: Row,
) => ({
  ...row,
  project_type: v2ProjectType(project_types),
  loaders: displayLoaders({ loaders: row.loaders, mrpack_loaders }),
  icon_url: mediaUrlOrNull(settings, icon_key),
  picture_url: mediaUrlOrNull(settings, picture_key),
});

/** One page of an owner's searchable projects and the total number of matches, in one query. */
export async function listByOwner(
  { sql: db, settings }: ReadContext,
  owner: Owner,
  { type, text, sort, offset, limit }: ListOptions,
): Promise<{ total: number; projects: ProfileProject[] }> {
  const order = {
    downloads: db`downloads`,
    follows: db`followers`,
    newest: db`coalesce(approved, published)`,
    updated: db`updated`,
  }[sort];
  const rows = await db<Array<StoredProject & { total: number }>>`
    with found as (
      select p.id, p.slug, p.team, p.organization, p.project_types, p.loaders, p.mrpack_loaders, p.title, p.description,
        p.icon_key, p.categories, p.downloads, p.followers, p.approved, p.published, p.updated
      from projects p
      where ${ownedBy(db, owner)} ${type === null ? db`` : db`and ${type} = any(p.project_types)`}
        and unaccent(lower(concat_ws(' ', p.title, p.slug, p.description)))
          like all (array(select unaccent(lower(word)) from unnest(${patternsOf(text)}::text[]) as word))
    ), page as (
      select *, row_number() over (order by ${order} desc, id) as place from found
      order by place limit ${limit} offset ${offset}
    )
    select counted.total, p.id, p.slug, p.project_types, p.loaders, p.mrpack_loaders, p.title, p.description,
      p.icon_key, p.categories, p.downloads, p.followers, p.updated, ${teaserColumns(db)}
    from (select count(*) as total from found) counted
    left join page p on true
    ${joinOwner(db)}
    order by p.place`;
  const projects = rows
    .filter(({ id }) => id !== null)
    .map(({ total: _, ...row }) => toListItem(settings, row));
  return { total: rows[0]?.total ?? 0, projects };
}

const max_words = 12;

/** `like` patterns, one per word, with wildcards escaped. NUL must not reach Postgres. */
const patternsOf = (text: string): string[] =>
  text
    .replaceAll('\0', ' ')
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, max_words)
    .map((word) => containing(word));

/** Icons of these projects by id; projects without one are left out. */
export async function iconsOf(
  { sql: db, settings }: ReadContext,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db<Array<{ id: string; icon_key: string }>>`
    select id, icon_key from projects where id = any(${ids as string[]}) and icon_key is not null`;
  return new Map(rows.map(({ id, icon_key }) => [id, mediaUrl(settings, icon_key)]));
}
