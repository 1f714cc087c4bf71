import type { BillingContext } from '#db/money/billing/checkout.ts';
import { payWithMethod, type SubscriptionRecord } from '#db/money/billing/desk/records.ts';
import { payRenewal } from '#db/money/billing/pay.ts';
import type { Payment } from '#db/money/billing/pay-charge.ts';
import { cancelPlus, switchPlus } from '#db/money/billing/plus-orders/write.ts';
import { renewsFree, whyNotResubscribe } from '#db/money/billing/rules.ts';
import { assertAllowed, Refused } from '#db/platform/errors.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { SubscriptionChange } from './subscription-change.ts';

/** Whether a change is paid at once: only one that renews what is not paid; another interval begins with the next period. */
export function duePlus(one: SubscriptionRecord, { cancelled }: SubscriptionChange) {
  if (cancelled === false) assertAllowed(whyNotResubscribe(one.state));
  return {
    requires_payment: cancelled === false && !renewsFree(one),
    required_payment_is_proration: false,
  };
}

/**
 * Changes card and interval of Plus, cancels it or takes that back. What was checked with `assertOneChange`. Refuses as
 * `cancelPlus`, `payRenewal` and `switchPlus` do.
 */
export async function changePlus(
  context: BillingContext,
  actor: Actor,
  one: SubscriptionRecord,
  { interval, payment_method, cancelled }: SubscriptionChange,
  now: Date,
): Promise<Payment> {
  // administrators see those of others; only their owners change them
  if (one.user_id !== actor.user_id) throw new Refused('not_found');
  const { sql, payments } = context;
  if (cancelled === false) {
    const method = payment_method === undefined ? null : { stored: payment_method };
    return await payRenewal(context, actor, null, { interval: interval ?? null, method }, now);
  }
  await sql.begin(async (tx) => {
    if (payment_method !== undefined) await payWithMethod(tx, payments.name, actor, one.id, payment_method);
    if (cancelled === true) await cancelPlus(tx, actor, now);
    else if (interval !== undefined) await switchPlus(tx, actor, interval, now);
  });
  return { state: 'paid', charge_id: null, confirm: null, unanswered: false };
}
