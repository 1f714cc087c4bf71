import type { Actor } from '../people/rules.ts';
import type { Db } from '../sql.ts';
import { whyNotSeeNotification } from './rules.ts';
import { limits, type Notification } from './shape.ts';
import { textOf } from './texts.ts';

interface Row {
  id: string;
  user_id: string;
  type: string;
  body: object;
  read: boolean;
  created: string;
}

const columns = (db: Db) => db`id, user_id, type, body, read, created`;

function notificationOf({ id, user_id, type: stored, body, read, created }: Row): Notification {
  const { type, ...text } = textOf({ user_id, type: stored, body });
  return { id, user_id, read, created, body: { ...(type === 'unknown' ? {} : body), type }, ...text };
}

/** The newest notifications of a user, newest first. The caller checks the rule. Source: api-behaviours §9. */
export async function notificationsOfUser(db: Db, user_id: string): Promise<Notification[]> {
  const rows = await db<Row[]>`
    select ${columns(db)} from notifications where user_id = ${user_id}
    order by created desc, id limit ${limits.listed}`;
  return rows.map(notificationOf);
}

/** Those with these ids that the actor may see, newest first. Source: api-v2 §8. */
export async function notificationsByIds(
  db: Db,
  ids: readonly string[],
  actor: Actor,
): Promise<Notification[]> {
  const rows = await db<Row[]>`
    select ${columns(db)} from notifications where id = any(${ids as string[]}) order by created desc, id`;
  return rows.filter(({ user_id }) => whyNotSeeNotification(user_id, actor) === null).map(notificationOf);
}

/** The notification with this id, null when it does not exist or is another user's. */
export async function findNotification(db: Db, id: string, actor: Actor): Promise<Notification | null> {
  const [notification] = await notificationsByIds(db, [id], actor);
  return notification ?? null;
}

/** Notifications that are displayed together, such as the updates of one project. */
export interface NotificationGroup {
  key: string;
  /** Of all in the group, and of those not read. */
  count: number;
  unread: number;
  /** The newest of the group, newest first. */
  notifications: Notification[];
}

/**
 * The groups of a user's newest notifications, the group with the newest one first; `unread` leaves read notifications
 * out. One that belongs to no group is a group. For screens: the caller checks the rule.
 */
export async function notificationGroups(
  db: Db,
  user_id: string,
  { limit, unread = false }: { limit: number; unread?: boolean },
): Promise<NotificationGroup[]> {
  const groups = await db<Array<{ key: string; count: number; unread: number; ids: string[] }>>`
    select coalesce(group_key, id) as key, count(*)::int as count, (count(*) filter (where not read))::int as unread,
      (array_agg(id::text order by created desc, id))[1:${limits.per_group}::int] as ids
    from (
      select * from notifications where user_id = ${user_id} ${unread ? db`and not read` : db``}
      order by created desc, id limit ${limits.listed}
    ) newest
    group by coalesce(group_key, id) order by max(created) desc, min(id) limit ${limit}`;
  const rows = await db<Row[]>`
    select ${columns(db)} from notifications where id = any(${groups.flatMap(({ ids }) => ids)})`;
  const byId = new Map(rows.map((row) => [row.id, notificationOf(row)]));
  return groups.map(({ ids, ...group }) => ({
    ...group,
    notifications: ids.flatMap((id) => byId.get(id) ?? []),
  }));
}
