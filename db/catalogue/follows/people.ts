import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { ReadContext } from '../../platform/read-context.ts';
import { mediaUrlOrNull } from '../../platform/storage/url.ts';
import { people_per_user, whyNotFollowUser } from './rules.ts';

/**
 * The actor follows another person, and hears of their new projects; again it does nothing. Refuses `not_found`,
 * `follow_self`, `user_not_followable`, `limit_reached`.
 */
export async function followUser(tx: Db, actor: Actor, followed_id: string, now: Date): Promise<void> {
  const { user_id } = actor;
  // one lock for all follows of the actor, so that their number stays bounded
  await tx`select from users where id = ${user_id} for no key update`;
  const [other] = await tx<Array<{ blocked: boolean; follows: boolean; count: number }>>`
    select exists (select from blocks b where (b.user_id = u.id and b.blocked_id = ${user_id})
        or (b.user_id = ${user_id} and b.blocked_id = u.id)) as blocked,
      exists (select from user_follows where user_id = ${user_id} and followed_id = u.id) as follows,
      (select count(*)::int from user_follows where user_id = ${user_id}) as count
    from users u where u.id = ${followed_id} for key share of u`;
  if (!other) throw new Refused('not_found', { id: followed_id });
  const { blocked, follows, count } = other;
  assertAllowed(whyNotFollowUser({ user_id, followed_id, blocked, count }), { limit: people_per_user });
  if (follows) return;
  await tx`insert into user_follows ${tx({ user_id, followed_id, created: now })}`;
  await related(tx, actor, followed_id, 'followed');
}

/** The actor follows a person no more; without following it does nothing, also for accounts that are gone. */
export async function unfollowUser(tx: Db, actor: Actor, followed_id: string): Promise<void> {
  const gone = await tx`
    delete from user_follows where user_id = ${actor.user_id} and followed_id = ${followed_id} returning followed_id`;
  if (gone.length > 0) await related(tx, actor, followed_id, 'unfollowed');
}

const related = async (
  tx: Db,
  { user_id: actor_id }: Actor,
  user_id: string,
  change: 'followed' | 'unfollowed',
): Promise<void> => await recordEvent(tx, { name: 'user.related', actor_id, user_id, data: { change } });

/** How many people follow a user. */
export async function followersOfUser(db: Db, user_id: string): Promise<number> {
  const [{ count }] = await db<[{ count: number }]>`
    select count(*)::int as count from user_follows where followed_id = ${user_id}`;
  return count;
}

export interface FollowedPerson {
  id: string;
  username: string;
  avatar_url: string | null;
}

/** The people that a user follows, the last followed first; and how many there are. */
export async function followedPeople(
  { sql, settings }: ReadContext,
  user_id: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; people: FollowedPerson[] }> {
  const [{ total }] = await sql<[{ total: number }]>`
    select count(*)::int as total from user_follows where user_id = ${user_id}`;
  const rows = await sql<Array<{ id: string; username: string; avatar_key: string | null }>>`
    select u.id, u.username, u.avatar_key from user_follows f join users u on u.id = f.followed_id
    where f.user_id = ${user_id} order by f.created desc, u.id limit ${limit} offset ${offset}`;
  const people = rows.map(({ avatar_key, ...person }) => ({
    ...person,
    avatar_url: mediaUrlOrNull(settings, avatar_key),
  }));
  return { total, people };
}
