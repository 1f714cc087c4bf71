import { Refused } from '../errors.ts';
import { type Suspension, staffSuspensions } from '../servers/rules.ts';
import { resumeServer } from '../servers/write.ts';
import type { Db } from '../sql.ts';
import { reconcileServer } from './reconcile.ts';

/**
 * Ends a suspension by staff. A server whose subscription is in its grace period goes back to billing's suspension. One
 * that is not suspended stays as it is. Refuses `server_not_found`, and `server_suspended` for a suspension by billing,
 * which ends with a payment.
 */
export async function resumeByStaff(
  db: Db,
  server_id: string,
  now: Date,
  actor_id: string | null = null,
): Promise<void> {
  // locks the subscription first, in the order of all of billing
  const [subscription] = await db<{ id: string }[]>`
    select id from subscriptions where server_id = ${server_id} for update`;
  const [server] = await db<{ lifecycle: string; reason: Suspension | null }[]>`
    select lifecycle, lifecycle_data->>'reason' as reason from servers where id = ${server_id} for update`;
  if (!server || server.lifecycle === 'deprovisioning') throw new Refused('server_not_found');
  if (server.lifecycle !== 'suspended') return;
  if (!staffSuspensions.some((reason) => reason === server.reason)) throw new Refused('server_suspended');
  await resumeServer(db, server_id, actor_id);
  if (subscription) await reconcileServer(db, subscription.id, now);
}
