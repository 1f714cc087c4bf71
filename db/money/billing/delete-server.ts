import { lockChangeableServer } from '../../hosting/servers/locked.ts';
import { deleteServer } from '../../hosting/servers/write.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { voidUnsent } from './charges.ts';
import type { SubscriptionState } from './rules.ts';
import { transition } from './transition.ts';

/**
 * Deletes a server for its owner; its subscription ends with it. Refuses as `whyNotChange` says. For control planes only:
 * they alone write servers.
 */
export async function deleteServerFor(tx: Db, actor: Actor, server_id: string, now: Date): Promise<void> {
  // locks the subscription first, in the order of all of billing
  const [subscription] = await tx<Array<{ id: string; state: SubscriptionState }>>`
    select id, state from subscriptions where server_id = ${server_id} for update`;
  await lockChangeableServer(tx, actor, server_id, now);
  if (subscription) await endSubscriptionOf(tx, subscription, now);
  await deleteServer(tx, server_id, actor.user_id);
}

/** Ends a subscription whose server is deleted: nothing more is charged, nothing is given back. */
async function endSubscriptionOf(
  tx: Db,
  { id, state }: { id: string; state: SubscriptionState },
  now: Date,
): Promise<void> {
  if (state !== 'ended') await transition(tx, id, 'ended', { next_attempt: null, grace_until: null });
  await voidUnsent(tx, id, now);
}
