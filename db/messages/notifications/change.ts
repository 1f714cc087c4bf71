import { assertAllowed, Refused } from '../../platform/errors.ts';
import { type Actor, isAdmin } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { type NotificationType, whyNotChangeNotification } from './rules.ts';

/** Marks one notification as read. Refuses `not_found`, `not_yours`. Source: api-v2 §8. */
export async function markNotificationRead(tx: Db, actor: Actor, id: string): Promise<void> {
  await lock(tx, actor, id);
  await tx`update notifications set read = true where id = ${id}`;
}

/** Deletes one notification. Refuses `not_found`, `not_yours`. Source: api-v2 §8. */
export async function removeNotification(tx: Db, actor: Actor, id: string): Promise<void> {
  await lock(tx, actor, id);
  await tx`delete from notifications where id = ${id}`;
}

async function lock(tx: Db, actor: Actor, id: string): Promise<void> {
  const [row] = await tx<Array<{ user_id: string }>>`
    select user_id from notifications where id = ${id} and on_site for update`;
  if (!row) throw new Refused('not_found');
  assertAllowed(whyNotChangeNotification(row.user_id, actor));
}

/** Those of the ids that the actor may change: `whyNotChangeNotification` for many. Others are skipped. */
const own = (db: Db, actor: Actor, ids: readonly string[]) =>
  db`id = any(${ids as string[]}) ${isAdmin(actor) ? db`` : db`and user_id = ${actor.user_id}`}`;

/** Marks the actor's notifications among the ids as read. Source: api-v2 §8. */
export async function markNotificationsRead(tx: Db, actor: Actor, ids: readonly string[]): Promise<void> {
  await tx`update notifications set read = true where ${own(tx, actor, ids)}`;
}

/** Deletes the actor's notifications among the ids. Source: api-v2 §8. */
export async function removeNotifications(tx: Db, actor: Actor, ids: readonly string[]): Promise<void> {
  await tx`delete from notifications where ${own(tx, actor, ids)}`;
}

/** Marks the actor's notifications of one group as read; a notification without a group is one of its own. */
export async function markGroupRead(tx: Db, actor: Actor, key: string): Promise<void> {
  await tx`
    update notifications set read = true
    where user_id = ${actor.user_id} and not read and coalesce(group_key, id) = ${key}`;
}

/** Deletes a user's notifications of one group: what they were about is gone. */
export async function removeGroup(tx: Db, user_id: string, key: string): Promise<void> {
  await tx`delete from notifications where user_id = ${user_id} and group_key = ${key}`;
}

/** Marks all of the actor's notifications as read, or those of one type. */
export async function markAllRead(tx: Db, actor: Actor, type: NotificationType | null): Promise<void> {
  await tx`
    update notifications set read = true
    where user_id = ${actor.user_id} and not read ${type === null ? tx`` : tx`and type = ${type}`}`;
}

/** Marks a user's invitations into a team as read: they were answered or withdrawn. */
export async function markInvitationsRead(
  tx: Db,
  { user_id }: Pick<Actor, 'user_id'>,
  team_id: string,
): Promise<void> {
  await tx`
    update notifications set read = true
    where user_id = ${user_id} and not read and type in ('team_invite', 'organization_invite')
      and body ->> 'team_id' = ${team_id}`;
}
