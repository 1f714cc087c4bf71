import { inOrderOfIds } from '../../platform/id.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { textOf } from './api-text.ts';
import { type SiteType, siteTypes, whyNotSeeNotification } from './rules.ts';
import { limits, type Notification } from './shape.ts';

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
    select ${columns(db)} from notifications where user_id = ${user_id} and on_site
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
    select ${columns(db)} from notifications where id = any(${ids as string[]}) and on_site`;
  const visible = rows.filter(({ user_id }) => whyNotSeeNotification(user_id, actor) === null);
  return inOrderOfIds(ids, visible).map(notificationOf);
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

/** Which of a user's notifications: only read or unread ones, only those of one type. */
export interface NotificationFilter {
  read?: boolean;
  type?: SiteType | null;
}

/** The newest notifications of a user that screens show; types without a text here stay out. */
const newest = (db: Db, user_id: string, { read, type = null }: NotificationFilter) => db`
  select * from notifications
  where user_id = ${user_id} and on_site and type = any(${type === null ? [...siteTypes] : [type]})
    ${read === undefined ? db`` : db`and read = ${read}`}
  order by created desc, id limit ${limits.listed}`;

/**
 * The groups of a user's newest notifications, the group with the newest one first, and how many groups there are. One
 * that belongs to no group is a group. For screens: the caller checks the rule.
 */
export async function notificationGroups(
  db: Db,
  user_id: string,
  { limit, offset = 0, ...filter }: NotificationFilter & { limit: number; offset?: number },
): Promise<{ total: number; groups: NotificationGroup[] }> {
  const found = await db<Array<{ key: string; count: number; unread: number; ids: string[]; total: number }>>`
    select coalesce(group_key, id) as key, count(*)::int as count, (count(*) filter (where not read))::int as unread,
      (array_agg(id::text order by created desc, id))[1:${limits.per_group}::int] as ids,
      (count(*) over ())::int as total
    from (${newest(db, user_id, filter)}) newest
    group by coalesce(group_key, id) order by max(created) desc, min(id) limit ${limit} offset ${offset}`;
  const ids = found.flatMap((group) => group.ids);
  const rows = await db<Row[]>`select ${columns(db)} from notifications where id = any(${ids})`;
  const byId = new Map(rows.map((row) => [row.id, notificationOf(row)]));
  const groups = found.map(({ ids: members, total: _, ...group }) => ({
    ...group,
    notifications: members.flatMap((id) => byId.get(id) ?? []),
  }));
  return { total: found[0]?.total ?? 0, groups };
}

/** How many of a user's newest notifications are of each type; types without any are absent. */
export async function notificationCounts(
  db: Db,
  user_id: string,
  filter: NotificationFilter,
): Promise<Map<SiteType, number>> {
  const rows = await db<Array<{ type: SiteType; count: number }>>`
    select type, count(*)::int as count from (${newest(db, user_id, filter)}) newest group by type`;
  return new Map(rows.map(({ type, count }) => [type, count]));
}

/** Those of the teams that have invited the user and wait for an answer. */
export async function openInvitations(
  db: Db,
  user_id: string,
  team_ids: readonly string[],
): Promise<Set<string>> {
  if (team_ids.length === 0) return new Set();
  const rows = await db<Array<{ team_id: string }>>`
    select team_id from team_members
    where user_id = ${user_id} and not accepted and team_id = any(${team_ids as string[]})`;
  return new Set(rows.map(({ team_id }) => team_id));
}
