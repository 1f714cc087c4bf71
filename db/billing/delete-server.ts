import type { Actor } from '../people/rules.ts';
import { changeable, remove } from '../servers/write.ts';
import type { Db } from '../sql.ts';
import { endFor } from './move.ts';

/**
 * Deletes a server for its owner; its subscription ends with it. Refuses as `whyNotChange` says. For control planes only:
 * they alone write servers.
 */
export async function removeFor(tx: Db, actor: Actor, server_id: string, now: Date): Promise<void> {
  // locks the subscription first, in the order of all of billing
  await tx`select 1 from subscriptions where server_id = ${server_id} for update`;
  await changeable(tx, actor, server_id, now);
  await endFor(tx, server_id);
  await remove(tx, server_id);
}
