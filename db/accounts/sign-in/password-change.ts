import type { Mailing } from '../../messages/mail/queue.ts';
import { assertAllowed, Refused } from '../../platform/errors.ts';
import { contextWords } from '../../platform/people/context-words.ts';
import { hashPassword, verifyPassword, whyNotPassword } from '../../platform/people/password.ts';
import { type Actor, ghostId, whyNotProved } from '../../platform/people/rules.ts';
import type { Db, Pool } from '../../platform/postgres/sql.ts';
import type { Settings } from '../../platform/runtime/env.ts';
import { factorsOf } from './read.ts';
import { whyNotRemovePassword } from './rules.ts';
import { storePassword } from './store-password.ts';

/** Changing and removing the own password, and setting that of somebody else. Source: api-v3 §4 (PATCH password). */

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
  const user = await holderOf(db, actor.user_id);
  if (user.password_hash === null) assertAllowed(whyNotProved(actor, now));
  else if (!(await verifyPassword(user.password_hash, old_password.slice(0, 1024))))
    throw new Refused('old_password_wrong');
  assertAllowed(
    await whyNotPassword(new_password, [user.username, user.email ?? '', ...contextWords(settings)]),
  );
}

/**
 * Sets the password of somebody else, for operators, and signs that account out. Slow work comes first: call it outside a
 * transaction. Refuses `not_found`, `password_length`, `password_breached`, `password_weak`.
 */
export async function setPassword(
  { sql, ...mailing }: Mailing & { sql: Pool },
  { user_id, password, now }: { user_id: string; password: string; now: Date },
): Promise<void> {
  const { username, email } = await holderOf(sql, user_id);
  assertAllowed(await whyNotPassword(password, [username, email ?? '', ...contextWords(mailing.settings)]));
  const password_hash = await hashPassword(password);
  await sql.begin((tx) => storePassword(tx, mailing, { user_id, password_hash, now }));
}

interface Holder {
  username: string;
  email: string | null;
  password_hash: string | null;
}

async function holderOf(db: Db, user_id: string): Promise<Holder> {
  const [user] = await db<Holder[]>`
    select username, email, password_hash from users where id = ${user_id} and id <> ${ghostId}`;
  if (!user) throw new Refused('not_found'); // nobody signs in as the ghost
  return user;
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
  const { user_id } = actor;
  await tx`select from users where id = ${user_id} for no key update`;
  assertAllowed(whyNotRemovePassword(await factorsOf(tx, user_id)));
  const kept = actor.session === undefined ? {} : { keep: actor.session };
  await storePassword(tx, mailing, { user_id, password_hash: null, now, ...kept });
}
