import type { Db } from '../../platform/postgres/sql.ts';

/** The channel (NOTIFY) on which every process hears of changes: `PresenceChange` as JSON. */
export const presence_channel = 'presence';

/** What a user plays, as friends see it. Source: api-v3 §7.1. */
export interface Status {
  user_id: string;
  profile_name: string | null;
  last_update: string;
}

/** A change that friends of the user, or one other user, hear of. Source: api-v3 §7.1. */
export type PresenceChange =
  | { type: 'status_update'; status: Status }
  | { type: 'user_offline'; id: string }
  | { type: 'friend_request'; from: string; to: string }
  | { type: 'friend_request_rejected'; from: string; to: string };

/** A connection that was not seen for this long belongs to a process that ended. */
const gone_ms = 90_000;
const liveSince = (now: Date): Date => new Date(now.getTime() - gone_ms);

/** Tells every process of a change, after the commit. */
export async function tellPresence(db: Db, change: PresenceChange): Promise<void> {
  await db`select pg_notify(${presence_channel}, ${JSON.stringify(change)})`;
}

/** Stores an open connection, or its new status, and tells the friends. */
export async function setStatus(
  db: Db,
  { id, user_id, profile_name, now }: { id: string; user_id: string; profile_name: string | null; now: Date },
): Promise<void> {
  await db`
    insert into launcher_connections ${db({ id, user_id, profile_name, last_update: now, seen: now })}
    on conflict (id) do update set profile_name = excluded.profile_name, last_update = excluded.last_update, seen = excluded.seen`;
  const status = { user_id, profile_name, last_update: now.toISOString() };
  await tellPresence(db, { type: 'status_update', status });
}

/** Tells the friends of these users, new ones too, what those play who have a launcher open. */
export async function tellStatuses(db: Db, user_ids: readonly string[], now: Date): Promise<void> {
  const statuses = await db<Status[]>`
    select distinct on (user_id) user_id, profile_name, last_update from launcher_connections
    where user_id = any(${user_ids as string[]}) and seen >= ${liveSince(now)}
    order by user_id, last_update desc`;
  for (const status of statuses) await tellPresence(db, { type: 'status_update', status });
}

/** Forgets a connection; when it was the user's last one, tells the friends. */
export async function closeConnection(
  db: Db,
  { id, user_id, now }: { id: string; user_id: string; now: Date },
): Promise<void> {
  await db`delete from launcher_connections where id = ${id} or seen < ${liveSince(now)}`;
  const [other] = await db`select from launcher_connections where user_id = ${user_id} limit 1`;
  if (!other) await tellPresence(db, { type: 'user_offline', id: user_id });
}

/** Marks connections as open, one statement for all of a process. */
export async function seeConnections(db: Db, ids: readonly string[], now: Date): Promise<void> {
  await db`update launcher_connections set seen = ${now} where id = any(${ids as string[]}::uuid[])`;
}

/** The statuses of the friends of a user who have a launcher open; of several launchers the last change counts. */
export const friendStatuses = async (db: Db, user_id: string, now: Date): Promise<Status[]> =>
  await db<Status[]>`
    select distinct on (c.user_id) c.user_id, c.profile_name, c.last_update
    from friends f
    join launcher_connections c on c.user_id = case when f.user_id = ${user_id} then f.friend_id else f.user_id end
    where f.accepted and ${user_id} in (f.user_id, f.friend_id) and c.seen >= ${liveSince(now)}
    order by c.user_id, c.last_update desc`;

/** Which of `among` are friends of a user. */
export async function friendsAmong(db: Db, user_id: string, among: readonly string[]): Promise<string[]> {
  const rows = await db<Array<{ id: string }>>`
    select case when user_id = ${user_id} then friend_id else user_id end as id from friends
    where accepted and ((user_id = ${user_id} and friend_id = any(${among as string[]}))
      or (friend_id = ${user_id} and user_id = any(${among as string[]})))`;
  return rows.map(({ id }) => id);
}
