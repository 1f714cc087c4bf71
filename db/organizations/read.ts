import type { Db } from '../sql.ts';
import { mediaUrlOrNull } from '../storage/url.ts';

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

/** The organization of this id or slug (its case ignored), or null. */
export async function byIdOrSlug(db: Db, text: string): Promise<Organization | null> {
  const [row] = await db<Array<Omit<Organization, 'icon_url'> & { icon_key: string | null }>>`
    select id, slug, name, team_id, description, icon_key, color from organizations
    where id = ${text} or slug = ${text.toLowerCase()}
    order by id = ${text} desc limit 1`;
  if (!row) return null;
  const { icon_key, color, ...rest } = row;
  return { ...rest, icon_url: mediaUrlOrNull(icon_key), color };
}

/** Who owns the organization: id and name of its team's owner, or null. */
export async function ownerOf(
  db: Db,
  organization_id: string,
): Promise<{ id: string; username: string } | null> {
  const [row] = await db<Array<{ id: string; username: string }>>`
    select u.id, u.username from organizations o
    join team_members m on m.team_id = o.team_id and m.is_owner
    join users u on u.id = m.user_id
    where o.id = ${organization_id}`;
  return row ?? null;
}
