import { assertAllowed, Refused } from '../errors.ts';
import { type Actor, isAdmin } from '../people/rules.ts';
import type { Db } from '../sql.ts';
import { whyNotChangeNotification } from './rules.ts';

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
    select user_id from notifications where id = ${id} for update`;
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
