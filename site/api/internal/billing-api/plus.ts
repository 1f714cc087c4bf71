import type { BillingContext } from '#db/billing/checkout.ts';
import { payWithMethod, type SubscriptionRecord } from '#db/billing/desk/records.ts';
import { renewPlus } from '#db/billing/plus/checkout.ts';
import { cancelPlus, switchPlus } from '#db/billing/plus/write.ts';
import { Refused } from '#db/errors.ts';
import type { Actor } from '#db/people/rules.ts';
import { dependent } from './dependency.ts';

/** What a program wants of a subscription of Plus. */
interface PlusChange {
  dry: boolean;
  interval?: string | undefined;
  payment_method?: string | undefined;
  cancelled?: boolean | undefined;
  region?: string | undefined;
  product?: string | undefined;
}

/** Whether a change is paid at once: only one that ends a failed payment; another interval begins with the next period. */
export const duePlus = ({ state }: SubscriptionRecord, { cancelled }: PlusChange) => ({
  requires_payment: cancelled === false && state === 'failed',
  required_payment_is_proration: false,
});

/**
 * Changes card and interval of Plus, cancels it or takes that back; `dry` when nothing was to be done. Refuses as
 * `cancelPlus`, `renewPlus` and `switchPlus` do, and `invalid_input` for what only servers have.
 */
export async function changePlus(
  context: BillingContext,
  actor: Actor,
  one: SubscriptionRecord,
  { dry, interval, payment_method, cancelled, region, product }: PlusChange,
  now: Date,
): Promise<'dry' | 'paid' | 'waiting'> {
  if (region !== undefined || product !== undefined)
    throw new Refused('invalid_input', { problem: 'region, product: Plus has neither.' });
  // administrators see those of others; only their owners change them
  if (one.user_id !== actor.user_id) throw new Refused('not_found');
  if (dry) return 'dry';
  const { sql, payments } = context;
  if (payment_method !== undefined)
    await sql.begin((tx) => payWithMethod(tx, payments.name, actor, one.id, payment_method));
  if (cancelled === true) await sql.begin((tx) => cancelPlus(tx, actor, now));
  if (cancelled === false) {
    const how = { interval: interval ?? null, method: null };
    return await dependent(() => renewPlus(context, actor, how, now));
  }
  if (interval !== undefined) await sql.begin((tx) => switchPlus(tx, actor, interval));
  return 'paid';
}
