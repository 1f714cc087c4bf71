import type { Mailing } from '../../../messages/mail/queue.ts';
import { billingBody, subscriptionPath, tellPayer } from '../../../messages/mail/tell-payer.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { serviceName } from '../paid-with.ts';
import { addDays, type GraceReason, graceDays, type SubscriptionState } from '../rules.ts';

interface Found {
  user_id: string;
  username: string;
  state: SubscriptionState;
  server_id: string | null;
  service: string | null;
  period_end: string | null;
  grace_until: string | null;
  grace_reason: GraceReason | null;
}

interface Move {
  subscription_id: string;
  from: string;
  to: string;
}

/**
 * Tells who pays that a subscription was canceled, that its server was suspended, or that it is over. One that went on
 * meanwhile is not mentioned, and neither is an order that was never paid: who ordered saw that.
 */
export async function tellOfSubscription(
  tx: Db,
  mailing: Mailing,
  { subscription_id, from, to }: Move,
  now: Date,
): Promise<void> {
  if (from === 'pending') return;
  const [found] = await tx<Found[]>`
    select u.user_id, p.username, u.state, u.server_id, u.period_end, u.grace_until, u.grace_reason,
      ${serviceName(tx)} as service
    from subscriptions u join users p on p.id = u.user_id left join orders o on o.id = u.order_id
      left join servers s on s.id = u.server_id
    where u.id = ${subscription_id}`;
  if (!found || found.state !== to) return;
  const { user_id, username, server_id, service, period_end, grace_until, grace_reason } = found;
  const link = subscriptionPath(server_id);
  const payer = { user_id, now };
  if (to === 'cancelled' && period_end) {
    const deleted = server_id && addDays(new Date(period_end), graceDays).toISOString();
    await tellPayer(tx, mailing, {
      ...payer,
      body: billingBody('cancelled', found, { at: period_end }),
      mail: {
        template: 'subscription_cancelled',
        data: { username, service, until: period_end, deleted, link },
      },
    });
  }
  if (to === 'grace' && server_id && service !== null && grace_until && grace_reason)
    await tellPayer(tx, mailing, {
      ...payer,
      body: billingBody('suspended', found, { at: grace_until }),
      mail: {
        template: 'server_suspended',
        data: { username, service, reason: grace_reason, deleted: grace_until, link },
      },
    });
  if (to === 'ended')
    await tellPayer(tx, mailing, {
      ...payer,
      body: billingBody('ended', found),
      mail: {
        template: 'subscription_ended',
        data: { username, service, link: '/settings/billing/charges' },
      },
    });
}
