import { z } from 'zod';
import type { Db } from '../../platform/postgres/sql.ts';

/** A request or friendship: `id` was asked, `friend_id` asked. Source: api-v3 §3.8. */
export const friendShape = z
  .object({ id: z.string(), friend_id: z.string(), accepted: z.boolean(), created: z.string() })
  .meta({ id: 'Friend' });
type Friend = z.output<typeof friendShape>;

/** Maximum of a list; others may ask somebody who has no room for own requests. */
const max_listed = 5000;

/** Friendships and requests of a user in both directions, friendships first, then the newest. Source: api-v3 §3.8. */
export const friendsOf = async (db: Db, user_id: string): Promise<Friend[]> =>
  await db<Friend[]>`
    select friend_id as id, user_id as friend_id, accepted, created from friends
    where user_id = ${user_id} or friend_id = ${user_id}
    order by accepted desc, created desc, user_id, friend_id limit ${max_listed}`;

/** Ids of the users whom a user blocked, the last one first. Source: api-v3 §3.8. */
export async function blockedBy(db: Db, user_id: string): Promise<string[]> {
  const rows = await db<Array<{ blocked_id: string }>>`
    select blocked_id from blocks where user_id = ${user_id} order by created desc, blocked_id limit ${max_listed}`;
  return rows.map(({ blocked_id }) => blocked_id);
}
