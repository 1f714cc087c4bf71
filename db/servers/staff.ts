import { matchServer } from '../billing/match.ts';
import { Refused } from '../errors.ts';
import type { Db } from '../sql.ts';
import { type Suspension, staffSuspensions } from './rules.ts';
import { resume } from './write.ts';

/**
 * Ends what staff began. A server whose subscription is in its grace time goes back to that suspension; one that billing
 * suspended is left so, since it ends when somebody pays. One that is not suspended stays as it is. Refuses
 * `server_not_found`, and `server_suspended` for billing's.
 */
export async function resumeByStaff(db: Db, server_id: string): Promise<void> {
  // the subscription first, as billing locks them
  const [subscription] = await db<{ id: string }[]>`
    select id from subscriptions where server_id = ${server_id} for update`;
  const [server] = await db<{ lifecycle: string; reason: Suspension | null }[]>`
    select lifecycle, lifecycle_data->>'reason' as reason from servers where id = ${server_id} for update`;
  if (!server || server.lifecycle === 'deprovisioning') throw new Refused('server_not_found');
  if (server.lifecycle !== 'suspended') return;
  if (!staffSuspensions.some((reason) => reason === server.reason)) throw new Refused('server_suspended');
  await resume(db, server_id);
  if (subscription) await matchServer(db, subscription.id);
}
