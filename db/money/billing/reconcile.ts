import { beginDailyBackups } from '../../hosting/servers/backups/daily.ts';
import { canMove, type Lifecycle } from '../../hosting/servers/rules.ts';
import { deleteServer, resumeServer, suspendServer } from '../../hosting/servers/write.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { resizePaid } from './plan-change/steps.ts';
import type { GraceReason, SubscriptionState, Term } from './rules.ts';

const ofBilling: readonly string[] = ['cancelled', 'trial_ended', 'payment_failed'] satisfies GraceReason[];

interface Row {
  server_id: string;
  state: SubscriptionState;
  term: Term;
  grace_reason: GraceReason | null;
  grace_until: string | null;
  lifecycle: Lifecycle | null;
  reason: string | null;
}

/**
 * Reconciles a server with its subscription: suspended in the grace period, resumed after a resubscription, deleted when
 * the subscription has ended, resized after a change of plan. Suspensions by staff stay. Gives what it did. For control planes only: they alone write servers.
 */
export async function reconcileServer(
  tx: Db,
  subscription_id: string,
  now: Date,
): Promise<'suspended' | 'resumed' | 'removed' | 'resized' | null> {
  const [row] = await tx<Row[]>`
    select u.server_id, u.state, u.term, u.grace_reason, u.grace_until, s.lifecycle, s.lifecycle_data->>'reason' as reason
    from subscriptions u left join servers s on s.id = u.server_id
    where u.id = ${subscription_id} for update of u`;
  if (!row?.lifecycle) return null;
  const { server_id, state, term, grace_reason, grace_until, lifecycle, reason } = row;
  if (state === 'ended') {
    await deleteServer(tx, server_id);
    return 'removed';
  }
  if (state === 'grace') {
    if (lifecycle === 'suspended' || !canMove(lifecycle, 'suspended')) return null;
    await suspendServer(tx, server_id, grace_reason!, null, grace_until);
    return 'suspended';
  }
  // also of a trial that was paid for since
  if (state === 'active' && term !== 'trial') await beginDailyBackups(tx, server_id, now);
  if (await resizePaid(tx, subscription_id, now)) return 'resized';
  if (lifecycle !== 'suspended' || !ofBilling.includes(reason ?? '')) return null;
  await resumeServer(tx, server_id);
  return 'resumed';
}
