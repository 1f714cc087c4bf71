import { Refused } from '#db/errors.ts';
import { type Organization, ofUser } from '#db/organizations/read.ts';
import { companionsOf } from '#db/people/companions.ts';
import { type User, userByIdOrName } from '#db/people/read.ts';
import { userPath } from '../profile/places.ts';
import { type Listed, listAt, movedTo, type PageOf } from '../profile/profile.server.ts';

export interface UserProfile extends Listed {
  user: User;
  organizations: Organization[];
  /** With whom they work. */
  companions: User[];
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
  return listed instanceof Response ? listed : { ...listed, user, organizations, companions };
}
