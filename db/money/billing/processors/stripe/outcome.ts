import type Stripe from 'stripe';
import { Refused } from '../../../../platform/errors.ts';
import type { Outcome } from '../../payments.ts';

/** An error of Stripe's library: its classes are loaded with it, their names suffice here. */
export type Failure = Stripe.errors.StripeError;
export const isFailure = (error: unknown): error is Failure =>
  error instanceof Error && 'type' in error && /^Stripe\w+Error$/.test(String(error.type));

/** The refusal for people in place of an error of the processor, with that as its cause for the log. */
export function unreachable(error: unknown): unknown {
  if (!isFailure(error)) return error;
  const refused = new Refused('payments_unreachable');
  refused.cause = error;
  return refused;
}

const failures: Readonly<Record<string, string>> = {
  insufficient_funds: 'insufficient_funds',
  authentication_required: 'authentication_required',
  authentication_not_handled: 'authentication_required',
  payment_intent_authentication_failure: 'authentication_required',
  expired_card: 'card_expired',
  amount_too_small: 'amount_too_small',
  amount_too_large: 'amount_too_large',
};

/** Why a payment failed, in our words: the reason of the bank goes before that of Stripe. */
export function failureOf(error: { code?: string; decline_code?: string } | null): string {
  const { code = '', decline_code = '' } = error ?? {};
  return failures[decline_code] ?? failures[code] ?? 'declined';
}

/** The outcome that an intent stands for now. */
export function outcomeOf(intent: Stripe.PaymentIntent): Outcome {
  const { id: intent_id, status, last_payment_error, cancellation_reason, client_secret } = intent;
  if (status === 'succeeded') return { intent_id, state: 'succeeded', failure: null };
  const failed = last_payment_error !== null;
  if (status === 'canceled') {
    const abandoned = !failed && cancellation_reason === 'abandoned';
    const failure = abandoned ? 'authentication_required' : failureOf(last_payment_error);
    const taken_back = !failed && cancellation_reason === 'requested_by_customer';
    return { intent_id, state: 'failed', failure: taken_back ? 'cancelled' : failure };
  }
  const waiting = { intent_id, state: 'waiting', failure: null } as const;
  return status === 'requires_action' && client_secret ? { ...waiting, confirm: client_secret } : waiting;
}
