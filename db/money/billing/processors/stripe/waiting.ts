import type Stripe from 'stripe';
import { isFailure, unreachable } from './outcome.ts';

/** What its payer does with a payment that waits; what became of it is read from its intent afterwards. */

/**
 * Confirms an intent with another card, see `Payments.payInstead`: an intent is paid once at most, so that none of the two
 * cards pays beside the other. Without an idempotency key, since the card before may be chosen again.
 */
export async function payInstead(
  stripe: Stripe,
  { intent_id, reference }: { intent_id: string; reference: string },
): Promise<string | null> {
  try {
    await stripe.paymentIntents.confirm(intent_id, { payment_method: reference, use_stripe_sdk: true });
    return intent_id;
  } catch (error) {
    if (!isFailure(error)) throw error;
    // it was tried with the card, which was declined
    if (error.type === 'StripeCardError') return intent_id;
    // paid, canceled or on its way
    if (error.type === 'StripeInvalidRequestError') return null;
    throw unreachable(error);
  }
}

/** Cancels an intent, see `Payments.cancel`. One that was paid in this moment, or is canceled, stays so. */
export async function cancel(stripe: Stripe, intent_id: string): Promise<string> {
  try {
    await stripe.paymentIntents.cancel(intent_id, { cancellation_reason: 'requested_by_customer' });
  } catch (error) {
    if (!isFailure(error) || error.type !== 'StripeInvalidRequestError') throw unreachable(error);
  }
  return intent_id;
}
