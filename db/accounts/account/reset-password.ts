import { type Mailing, queueMail } from '../../messages/mail/queue.ts';
import { assertAllowed, Refused } from '../../platform/errors.ts';
import { openFlow, readFlow, takeFlow } from '../../platform/flows/write.ts';
import { hashPassword, whyNotPassword } from '../../platform/people/password.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { storePassword } from '../sign-in/store-password.ts';

interface Owner {
  id: string;
  username: string;
  email: string | null;
}

/**
 * Mails the link that sets a new password to the owner of a name or address. For an unknown one it does the same work, and
 * gives the same: nothing. Source: api-v3 §4 (POST password/reset).
 */
export async function requestReset(
  tx: Db,
  mailing: Mailing,
  { user_id, now }: { user_id: string | null; now: Date },
): Promise<void> {
  const [owner] = await tx<Owner[]>`select id, username, email from users where id = ${user_id}`;
  const email = owner?.email ?? null;
  // an unknown owner gets a flow as well, which opens nothing: its commit takes as long as any
  const secret = await openFlow(tx, 'reset_password', { user_id: email && owner!.id, data: { email }, now });
  const link = `/auth/reset-password?flow=${secret}`;
  const data = { username: owner?.username ?? '', link };
  await queueMail(tx, mailing, { template: 'reset_password', to: email, user_id, data, now });
}

/** Whether a link can still set a new password. */
export const isResetLink = async (db: Db, flow: string, now: Date): Promise<boolean> =>
  (await readFlow(db, 'reset_password', flow, now))?.user_id != null;

/** A new password that passed the rules, hashed. */
export interface PreparedReset {
  flow: string;
  password_hash: string;
}

/**
 * Checks a new password and hashes it: slow work that must not happen inside a transaction. The link stays valid. Refuses
 * `reset_link_invalid`, `password_length`, `password_weak`, `password_breached`.
 */
export async function prepareReset(
  db: Db,
  { flow, password, now }: { flow: string; password: string; now: Date },
): Promise<PreparedReset> {
  const found = await readFlow(db, 'reset_password', flow, now);
  const [owner] = await db<Owner[]>`
    select id, username, email from users where id = ${found?.user_id ?? null}`;
  if (!owner) throw new Refused('reset_link_invalid');
  assertAllowed(await whyNotPassword(password, [owner.username, owner.email ?? '']));
  return { flow, password_hash: await hashPassword(password) };
}

/**
 * Sets the new password by the link, once; ends all access to the account and every open step, and verifies the address,
 * which the link was mailed to. A second factor stays as it is unless this is the first proof of the address, and nobody is
 * signed in by a link. Refuses `reset_link_invalid`.
 */
export async function resetPassword(
  tx: Db,
  mailing: Mailing,
  { flow, password_hash, now }: PreparedReset & { now: Date },
): Promise<void> {
  const taken = await takeFlow(tx, 'reset_password', flow, now);
  if (!taken?.user_id) throw new Refused('reset_link_invalid');
  const { user_id, data } = taken;
  // nobody had shown before that the address is theirs: what opens the account beside it may be of whoever made it
  const first = await tx`
    update users set email_verified = true
    where id = ${user_id} and not email_verified and email = ${String(data.email)}::text::citext`;
  await storePassword(tx, mailing, { user_id, password_hash, now, with_ways: first.count > 0 });
}
