import type { SubscriptionRecord } from '#db/money/billing/desk/records.ts';
import { renewsFree } from '#db/money/billing/rules.ts';
import { Refused } from '#db/platform/errors.ts';
import type { Actor } from '#db/platform/people/rules.ts';

/** What a program wants of a subscription. */
export interface SubscriptionChange {
  interval?: string | undefined;
  payment_method?: string | undefined;
  cancelled?: boolean | undefined;
  region?: string | undefined;
  product?: string | undefined;
}

/**
 * Refuses what cannot be done together before anything is done: `invalid_input` says what, and `payment_method_not_found`
 * where an administrator names a card for somebody else's subscription.
 */
export function assertOneChange(actor: Actor, one: SubscriptionRecord, asked: SubscriptionChange): void {
  const { interval, payment_method, cancelled, region, product } = asked;
  const problem = (text: string) => new Refused('invalid_input', { problem: text });
  const changes = interval !== undefined || product !== undefined;
  if (one.server_id === null && (region !== undefined || product !== undefined))
    throw problem('region, product: Plus has neither.');
  if (region !== undefined && region !== one.region)
    throw problem('region: a server is moved on its own page.');
  if (cancelled === true && (changes || payment_method !== undefined))
    throw problem('cancelled: what is canceled is not changed in the same request.');
  if (cancelled === false && product !== undefined)
    throw problem('product: renew the subscription first, then change it.');
  if (cancelled === false && interval !== undefined && interval !== one.term && renewsFree(one))
    throw problem('interval: take the cancellation back first, then change it.');
  if (payment_method !== undefined && one.user_id !== actor.user_id)
    throw new Refused('payment_method_not_found');
}
