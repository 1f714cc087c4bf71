import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { ReadContext } from '../../platform/read-context.ts';
import { mediaUrlOrNull } from '../../platform/storage/url.ts';
import { type Visibility, whyNotSeeOrganization } from './rules.ts';

/** An organization without its members. Source: api-v3 §2.7. */
export interface Organization {
  id: string;
  slug: string;
  name: string;
  team_id: string;
  description: string;
  icon_url: string | null;
  color: number | null;
}

interface Row extends Omit<Organization, 'icon_url'>, Visibility {
  icon_key: string | null;
}

/** The columns of `Visibility` in a query `from organizations o`. */
export const visibilityColumns = (db: Db, actor: Pick<Actor, 'user_id'> | null) => db`
  exists (select from projects p where p.organization = o.id and p.status = 'approved') as searchable,
  (select count(*) from (select from team_members m where m.team_id = o.team_id and m.accepted limit 2) two)
    as accepted_members,
  exists (select from team_members m where m.team_id = o.team_id and m.user_id = ${actor?.user_id ?? ''}) as mine`;

/** `select` of organizations with what their visibility depends on, `from organizations o`; add the `where`. */
const selectRows = (db: Db, actor: Actor | null) => db`
  select o.id, o.slug, o.name, o.team_id, o.description, o.icon_key, o.color, ${visibilityColumns(db, actor)}
  from organizations o`;

/** The organizations of the rows that the actor may see. */
const visible = ({ settings }: ReadContext, rows: readonly Row[], actor: Actor | null): Organization[] =>
  rows
    .filter((row) => whyNotSeeOrganization(row, actor) === null)
    .map(({ icon_key, searchable: _, accepted_members: __, mine: ___, ...row }) => ({
      ...row,
      icon_url: mediaUrlOrNull(settings, icon_key),
    }));

/** Anything else is neither id nor slug, and NUL must not reach Postgres. */
const isName = (text: string): boolean => /^[\w.-]{1,100}$/.test(text);

/**
 * The organizations with these ids or slugs (case-insensitive) that the actor may see, in request order without
 * duplicates. Source: api-v3 §3.9; api-behaviours §4.
 */
export async function visibleOrganizations(
  context: ReadContext,
  idsOrSlugs: readonly string[],
  actor: Actor | null,
): Promise<Organization[]> {
  const names = [...new Set(idsOrSlugs)].filter(isName);
  if (names.length === 0) return [];
  const slugs = names.map((name) => name.toLowerCase());
  const rows = await context.sql<Row[]>`
    ${selectRows(context.sql, actor)} where o.id = any(${names}) or o.slug = any(${slugs})`;
  const place = ({ id, slug }: Organization) => {
    const places = [names.indexOf(id), slugs.indexOf(slug)].filter((index) => index >= 0);
    return Math.min(...places);
  };
  return visible(context, rows, actor).sort((a, b) => place(a) - place(b));
}

/** The organization with this id or slug, null when it does not exist or is hidden from the actor. */
export async function findOrganization(
  context: ReadContext,
  idOrSlug: string,
  actor: Actor | null,
): Promise<Organization | null> {
  const found = await visibleOrganizations(context, [idOrSlug], actor);
  return found.find(({ id }) => id === idOrSlug) ?? found[0] ?? null;
}

/** Maximum number of organizations of a user in one answer. */
const max_user_organizations = 1000;

/** The organizations whose invitation the user accepted, as far as the actor may see them, by name. Source: api-v3 §3.7. */
export async function organizationsOf(
  context: ReadContext,
  user_id: string,
  actor: Actor | null,
): Promise<Organization[]> {
  const rows = await context.sql<Row[]>`
    ${selectRows(context.sql, actor)}
    where o.team_id in (select team_id from team_members where user_id = ${user_id} and accepted)
    order by lower(o.name), o.id limit ${max_user_organizations}`;
  return visible(context, rows, actor);
}

/** How many organizations the user owns. */
export async function ownedOrganizations(db: Db, user_id: string): Promise<number> {
  const [row] = await db<Array<{ owned: number }>>`
    select count(*) as owned from team_members m join organizations o on o.team_id = m.team_id
    where m.user_id = ${user_id} and m.is_owner`;
  return row!.owned;
}
