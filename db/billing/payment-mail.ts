import { type Mailing, queueMail } from '../mail/queue.ts';
import type { Db } from '../sql.ts';

interface FailedCharge {
  user_id: string;
  username: string;
  amount: number;
  currency: string;
  server_id: string | null;
  service: string;
  failure: string | null;
}

/** Tells the payer of a charge by mail that it failed, or that the bank wants a confirmation, in the transaction that settles it. Source: api-behaviours §9. */
export async function tellOfFailedPayment(
  tx: Db,
  mailing: Mailing,
  charge_id: string,
  now: Date,
): Promise<void> {
  const [failed] = await tx<FailedCharge[]>`
    select c.user_id, p.username, c.amount_minor as amount, c.currency, c.failure, u.server_id,
      coalesce(s.name, u.server_id, 'Plus') as service
    from charges c
    join users p on p.id = c.user_id
    join subscriptions u on u.id = c.subscription_id
    left join servers s on s.id = u.server_id
    where c.id = ${charge_id}`;
  if (!failed) return;
  const { user_id, server_id, failure, ...data } = failed;
  const link = server_id ? `/servers/manage/${server_id}/options/billing` : '/settings/billing';
  await queueMail(tx, mailing, {
    template: failure === 'authentication_required' ? 'payment_unconfirmed' : 'payment_failed',
    to: null,
    user_id,
    data: { ...data, link },
    now,
  });
}
