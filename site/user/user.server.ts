import { ofUser as collectionsOf } from '#db/collections/read.ts';
import type { Collection } from '#db/collections/shape.ts';
import { Refused } from '#db/errors.ts';
import { type Organization, ofUser } from '#db/organizations/read.ts';
import { companionsOf } from '#db/people/companions.ts';
import { type User, userByIdOrName } from '#db/people/read.ts';
import { iconsOf } from '#db/projects/profile.ts';
import { userPath } from '../profile/places.ts';
import { type Listed, listAt, movedTo, type PageOf } from '../profile/profile.server.ts';
import type { Services } from '../services.ts';

/** A collection as a tile: its name, its size, the icons of its first projects. */
export type Tile = Pick<Collection, 'id' | 'name'> & { size: number; icons: Array<string | null> };

export interface UserProfile extends Listed {
  user: User;
  organizations: Organization[];
  /** With whom they work. */
  companions: User[];
  /** What they gathered; only where the list of projects begins. */
  collections: Tile[];
}

/**
 * What a page below /user/{id or name} shows, or the redirect to where it lies: the name as its owner writes it. The
 * same for everybody, whoever looks. Refuses `not_found`.
 */
export async function profileAt(page: PageOf): Promise<UserProfile | Response> {
  const { params, locals } = page;
  const { services, shows } = locals;
  const asked = params.id ?? '';
  shows(`user:${asked}`);
  const user = await userByIdOrName(services.sql, asked);
  if (!user) throw new Refused('not_found');
  shows(`user:${user.id}`);
  const base = userPath(user.username);
  if (user.username !== asked) return movedTo(page, base);
  const [listed, organizations, companions] = await Promise.all([
    listAt(page, { user_id: user.id }, base),
    ofUser(services.sql, user.id),
    companionsOf(services.sql, user.id),
  ]);
  for (const { id } of organizations) shows(`organization:${id}`);
  for (const { id } of companions) shows(`user:${id}`);
  if (listed instanceof Response) return listed;
  const { kind, state } = listed;
  const begins = kind === null && state.page === 1 && state.text.trim() === '';
  const collections = begins ? await tilesOf(services, user.id) : [];
  for (const { id } of collections) shows(`collection:${id}`);
  return { ...listed, user, organizations, companions, collections };
}

const most_tiles = 12;
const icons_of_tile = 3;

/** The newest collections everybody may find, in two queries. */
async function tilesOf({ sql }: Services, user_id: string): Promise<Tile[]> {
  const found = (await collectionsOf(sql, user_id, null)).slice(0, most_tiles);
  const firsts = found.map(({ projects }) => projects.slice(0, icons_of_tile));
  const icons = await iconsOf(sql, [...new Set(firsts.flat())]);
  return found.map(({ id, name, projects }, place) => ({
    id,
    name,
    size: projects.length,
    icons: firsts[place]!.map((project) => icons.get(project) ?? null),
  }));
}
