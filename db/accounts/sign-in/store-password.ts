import { type Mailing, queueMail } from '../../messages/mail/queue.ts';
import { recordEvent } from '../../platform/events/write.ts';
import { endFlowsOf, type FlowKind, flowKinds } from '../../platform/flows/write.ts';
import { endAccess } from '../../platform/people/end-access.ts';
import type { Db } from '../../platform/postgres/sql.ts';

/** What waits for the old password. */
const waiting: FlowKind[] = ['reset_password', 'second_step'];

/** What could sign somebody in, or lead on from a session; answers about an address stay open. */
const entries = (Object.keys(flowKinds) as FlowKind[]).filter(
  (kind) => kind !== 'verify_email' && kind !== 'newsletter',
);

/**
 * Stores the hash of a new password, or null for no password, ends all access to the account, and tells the user by mail
 * what ended. `keep` is the session in which its owner does so; without it, for somebody who did not know the old password,
 * open steps of signing in end as well, with `with_ways` passkeys, second factors and linked accounts too.
 */
export async function storePassword(
  tx: Db,
  mailing: Mailing,
  {
    user_id,
    password_hash,
    now,
    keep,
    with_ways = false,
  }: { user_id: string; password_hash: string | null; now: Date; keep?: string; with_ways?: boolean },
): Promise<void> {
  const [user] = await tx<Array<{ username: string }>>`
    update users set password_hash = ${password_hash} where id = ${user_id} returning username`;
  if (!user) return;
  const ended = await endAccess(tx, { user_id, keep, with_ways });
  await endFlowsOf(tx, user_id, keep === undefined ? entries : waiting);
  const template = password_hash === null ? 'password_removed' : 'password_changed';
  await queueMail(tx, mailing, { template, to: null, user_id, data: { ...user, ended }, now });
  await recordEvent(tx, { name: 'user.edited', user_id, data: { password: true } });
}
