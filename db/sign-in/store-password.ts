import { recordEvent } from '../events/write.ts';
import { endFlowsOf, type FlowKind, flowKinds } from '../flows/write.ts';
import { type Mailing, queueMail } from '../mail/queue.ts';
import { closeSessionsOf } from '../people/session.ts';
import type { Db } from '../sql.ts';

/** What waits for the old password. */
const waiting: FlowKind[] = ['reset_password', 'second_step'];

/** What could sign somebody in, or lead on from a session; answers about an address stay open. */
const entries = (Object.keys(flowKinds) as FlowKind[]).filter(
  (kind) => kind !== 'verify_email' && kind !== 'newsletter',
);

/**
 * Stores the hash of a new password, or null for no password, ends what waits for the old one, and tells the user by mail.
 * With `sign_out`, for somebody who did not know the old one, all sessions and open steps of the account end.
 */
export async function storePassword(
  tx: Db,
  mailing: Mailing,
  {
    user_id,
    password_hash,
    now,
    sign_out = false,
  }: { user_id: string; password_hash: string | null; now: Date; sign_out?: boolean },
): Promise<void> {
  const [user] = await tx<Array<{ username: string }>>`
    update users set password_hash = ${password_hash} where id = ${user_id} returning username`;
  if (!user) return;
  if (sign_out) await closeSessionsOf(tx, user_id, now);
  await endFlowsOf(tx, user_id, sign_out ? entries : waiting);
  const template = password_hash === null ? 'password_removed' : 'password_changed';
  await queueMail(tx, mailing, { template, to: null, user_id, data: user, now });
  await recordEvent(tx, { name: 'user.edited', user_id, data: { password: true } });
}
