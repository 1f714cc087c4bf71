import { type Lifecycle, type Suspension, whyNotResume } from '../../hosting/servers/rules.ts';
import { resumeServer } from '../../hosting/servers/write.ts';
import { assertAllowed } from '../../platform/errors.ts';
import type { Db } from '../../platform/postgres/sql.ts';
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
  const [server] = await db<{ lifecycle: Lifecycle; reason: Suspension | null }[]>`
    select lifecycle, lifecycle_data->>'reason' as reason from servers where id = ${server_id} for update`;
  assertAllowed(server ? whyNotResume(server, server.reason) : 'server_not_found');
  if (server?.lifecycle !== 'suspended') return;
  await resumeServer(db, server_id, actor_id);
  if (subscription) await reconcileServer(db, subscription.id, now);
}
