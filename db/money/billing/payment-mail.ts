import { type Mailing, queueMail } from '../../messages/mail/queue.ts';
import type { PaidCard } from '../../messages/mail/rules.ts';
import { notify } from '../../messages/notifications/write.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { cardOf, serviceName } from './paid-with.ts';
import { endsUnpaid } from './rules.ts';

interface FailedCharge {
  user_id: string;
  username: string;
  amount: number;
  currency: string;
  server_id: string | null;
  service: string | null;
  failure: string | null;
  card: PaidCard | null;
  attempts: number;
  next_attempt: string | null;
}

/**
 * Tells the payer of a charge by mail and on the site that it failed, or that the bank wants a confirmation, and what happens
 * when nobody pays; in the transaction that settles it. Source: api-behaviours §9.
 */
export async function tellOfFailedPayment(
  tx: Db,
  mailing: Mailing,
  charge_id: string,
  now: Date,
): Promise<void> {
  const [failed] = await tx<FailedCharge[]>`
    select c.user_id, p.username, c.amount_minor as amount, c.currency, c.failure, u.server_id, u.attempts,
      u.next_attempt, ${serviceName(tx)} as service,
      ${cardOf(tx)} as card
    from charges c
    join users p on p.id = c.user_id
    join subscriptions u on u.id = c.subscription_id
    left join orders o on o.id = u.order_id
    left join servers s on s.id = u.server_id
    left join payment_methods m on m.id = c.method_id
    where c.id = ${charge_id}`;
  if (!failed) return;
  const { user_id, username, amount, currency, server_id, service, failure, card, attempts, next_attempt } =
    failed;
  const ends = endsUnpaid(
    { next_attempt: next_attempt === null ? null : new Date(next_attempt), attempts },
    now,
  );
  const link = server_id ? `/servers/manage/${server_id}/options/billing` : '/settings/billing';
  const stops = ends.stops.toISOString();
  const deleted = server_id && ends.deleted.toISOString();
  const data = { username, amount, currency, service, stops, deleted, link };
  const kind = failure === 'authentication_required' ? 'payment_unconfirmed' : 'payment_failed';
  const body = { kind, service, server_id, amount_minor: amount, currency, at: stops } as const;
  await notify(tx, [user_id], { type: 'billing', body }, `billing:failed:${charge_id}`);
  const to = { to: null, user_id, now };
  await (kind === 'payment_unconfirmed'
    ? queueMail(tx, mailing, { ...to, template: kind, data })
    : queueMail(tx, mailing, {
        ...{ ...to, template: kind },
        data: { ...data, card, reason: failure, next_attempt },
      }));
}
