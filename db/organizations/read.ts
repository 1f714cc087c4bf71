import type { ReadContext } from '../read-context.ts';
import type { Db } from '../sql.ts';
import { type MediaSettings, mediaUrlOrNull } from '../storage/url.ts';

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

/** The columns of an organization. */
export interface OrganizationRow extends Omit<Organization, 'icon_url'> {
  icon_key: string | null;
}

/** The organization of its columns. */
export const organizationOf = (
  settings: MediaSettings,
  { icon_key, ...rest }: OrganizationRow,
): Organization => ({
  ...rest,
  icon_url: mediaUrlOrNull(settings, icon_key),
});

/** The organization with this id or slug (case-insensitive), or null. */
export async function byIdOrSlug(
  { sql: db, settings }: ReadContext,
  text: string,
): Promise<Organization | null> {
  if (!/^[\w.-]{1,100}$/.test(text)) return null; // nothing else can be a slug, and NUL must not reach Postgres
  const [row] = await db<OrganizationRow[]>`
    select id, slug, name, team_id, description, icon_key, color from organizations
    where id = ${text} or slug = ${text.toLowerCase()}
    order by id = ${text} desc limit 1`;
  return row ? organizationOf(settings, row) : null;
}

/** Maximum number of organizations on a profile. */
const max_user_organizations = 100;

/** The organizations whose invitation the user accepted, by name. */
export async function organizationsOfUser(
  { sql: db, settings }: ReadContext,
  user_id: string,
): Promise<Organization[]> {
  const rows = await db<OrganizationRow[]>`
    select o.id, o.slug, o.name, o.team_id, o.description, o.icon_key, o.color
    from team_members m join organizations o on o.team_id = m.team_id
    where m.user_id = ${user_id} and m.accepted
    order by lower(o.name), o.id limit ${max_user_organizations}`;
  return rows.map((row) => organizationOf(settings, row));
}

/** How many organizations the user owns. */
export async function ownedOrganizations(db: Db, user_id: string): Promise<number> {
  const [row] = await db<Array<{ owned: number }>>`
    select count(*) as owned from team_members m join organizations o on o.team_id = m.team_id
    where m.user_id = ${user_id} and m.is_owner`;
  return row!.owned;
}
