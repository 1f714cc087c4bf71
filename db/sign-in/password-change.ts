import { assertAllowed, Refused } from '../errors.ts';
import { recordEvent } from '../events/write.ts';
import { endFlowsOf } from '../flows/write.ts';
import { type Mailing, queueMail } from '../mail/queue.ts';
import { contextWords } from '../people/context-words.ts';
import { verifyPassword, whyNotPassword } from '../people/password.ts';
import { type Actor, ghostId, whyNotProved } from '../people/rules.ts';
import type { Settings } from '../runtime/env.ts';
import type { Db } from '../sql.ts';
import { factorsOf } from './read.ts';
import { whyNotRemovePassword } from './rules.ts';

/** Changing and removing the own password. Source: api-v3 §4 (PATCH password). */

/**
 * Checks the old password before a change; an account without one proves otherwise who it is. Slow work, for before a
 * transaction. Refuses `old_password_wrong`, `proof_required`, `not_found`, `password_length`, `password_breached`,
 * `password_weak`.
 */
export async function checkPasswordChange(
  db: Db,
  { settings }: { settings: Settings },
  {
    actor,
    old_password,
    new_password,
    now,
  }: { actor: Actor; old_password: string; new_password: string; now: Date },
): Promise<void> {
  const [user] = await db<Array<{ username: string; email: string | null; password_hash: string | null }>>`
    select username, email, password_hash from users where id = ${actor.user_id}`;
  if (!user || actor.user_id === ghostId) throw new Refused('not_found');
  if (user.password_hash === null) assertAllowed(whyNotProved(actor, now));
  else if (!(await verifyPassword(user.password_hash, old_password.slice(0, 1024))))
    throw new Refused('old_password_wrong');
  assertAllowed(whyNotPassword(new_password, [user.username, user.email ?? '', ...contextWords(settings)]));
}

/** Stores the hash of a new password; ends what waits for the old one. */
export async function storePassword(
  tx: Db,
  mailing: Mailing,
  { actor: { user_id, username }, password_hash, now }: { actor: Actor; password_hash: string; now: Date },
): Promise<void> {
  await tx`update users set password_hash = ${password_hash} where id = ${user_id}`;
  await endFlowsOf(tx, user_id, ['reset_password', 'second_step']);
  await queueMail(tx, mailing, { template: 'password_changed', to: null, user_id, data: { username }, now });
  await recordEvent(tx, { name: 'user.edited', user_id, data: { password: true } });
}

/**
 * Removes the actor's password. Refuses `proof_required`, `no_password`, and `last_sign_in_method` without a passkey or
 * provider.
 */
export async function removePassword(
  tx: Db,
  mailing: Mailing,
  { actor, now }: { actor: Actor; now: Date },
): Promise<void> {
  assertAllowed(whyNotProved(actor, now));
  const { user_id, username } = actor;
  await tx`select from users where id = ${user_id} for no key update`;
  assertAllowed(whyNotRemovePassword(await factorsOf(tx, user_id)));
  await tx`update users set password_hash = null where id = ${user_id}`;
  await endFlowsOf(tx, user_id, ['reset_password', 'second_step']);
  await queueMail(tx, mailing, { template: 'password_removed', to: null, user_id, data: { username }, now });
  await recordEvent(tx, { name: 'user.edited', user_id, data: { password: true } });
}
