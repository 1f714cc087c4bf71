import type Stripe from 'stripe';
import type { ChargeRequest, Outcome, RefundRequest } from '../../payments.ts';
import { toStripe } from './amounts.ts';
import { type Failure, failureOf, isFailure, outcomeOf, unreachable } from './outcome.ts';

/** A payment that its payer does not confirm for so long is canceled. */
const abandoned_ms = 60 * 60_000;
/** Intents of one customer that are looked through for a charge that got no answer. */
const max_intents = 1000;

const failed = (failure: string, intent_id: string | null = null): Outcome => ({
  intent_id,
  state: 'failed',
  failure,
});

/**
 * Charges once: by the idempotency key, and by a look at the intents of the customer where an earlier request may have
 * taken money, because Stripe forgets keys after a day and repeats its own 500 to a key.
 */
export async function charge(stripe: Stripe, ask: ChargeRequest): Promise<Outcome> {
  const { customer, currency, reference, key, unattended } = ask;
  const amount = toStripe(ask.amount_minor, currency);
  if (amount === null) return failed('amount_invalid');
  if (customer === null) return failed('card_required');
  try {
    const before = ask.again ? await find(stripe, customer, ask) : null;
    if (before) return await decide(stripe, before, ask.now);
    const intent = await stripe.paymentIntents.create(
      {
        ...{ amount, currency: currency.toLowerCase(), customer, payment_method: reference },
        ...(unattended ? { off_session: true } : { use_stripe_sdk: true }),
        allowed_payment_method_types: ['card'],
        automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
        confirm: true,
        metadata: { cairn_charge: key },
      },
      { idempotencyKey: key, maxNetworkRetries: 0 },
    );
    return outcomeOf(intent);
  } catch (error) {
    if (!isFailure(error)) throw error;
    return await afterFailure(stripe, customer, ask, error);
  }
}

async function afterFailure(
  stripe: Stripe,
  customer: string,
  ask: ChargeRequest,
  error: Failure,
): Promise<Outcome> {
  switch (error.type) {
    case 'StripeCardError':
      return failed(failureOf(error), error.payment_intent?.id ?? null);
    case 'StripeInvalidRequestError':
      return failed(failureOf(error));
    case 'StripeAuthenticationError':
    case 'StripePermissionError':
      // the operator's keys: a buyer orders again, a renewal is not the payer's fault and waits
      if (!ask.unattended) return failed('unavailable');
      throw unreachable(error);
  }
  try {
    const taken = await find(stripe, customer, ask);
    if (taken) return await decide(stripe, taken, ask.now);
  } catch (again) {
    if (!isFailure(again)) throw again;
  }
  // nobody knows yet: a webhook says, or the next run of billing asks
  return { intent_id: null, state: 'waiting', failure: null, unanswered: true };
}

async function find(
  stripe: Stripe,
  customer: string,
  { key, opened }: ChargeRequest,
): Promise<Stripe.PaymentIntent | null> {
  // clocks differ
  const gte = Math.floor(opened.getTime() / 1000) - 86_400;
  let seen = 0;
  for await (const intent of stripe.paymentIntents.list({ customer, created: { gte }, limit: 100 })) {
    if (intent.metadata.cairn_charge === key) return intent;
    seen += 1;
    if (seen >= max_intents) break;
  }
  return null;
}

/** The outcome of an intent, read again. Refuses `payments_unreachable`. */
export async function retrieve(stripe: Stripe, intent_id: string, now: Date): Promise<Retrieved> {
  try {
    const intent = await stripe.paymentIntents.retrieve(intent_id);
    return { charge_id: intent.metadata.cairn_charge ?? null, outcome: await decide(stripe, intent, now) };
  } catch (error) {
    throw unreachable(error);
  }
}
interface Retrieved {
  charge_id: string | null;
  outcome: Outcome;
}

/**
 * The outcome of an intent. One that failed is canceled before anybody hears so: with its client secret a browser could
 * still pay it with another card.
 */
async function decide(stripe: Stripe, intent: Stripe.PaymentIntent, now: Date): Promise<Outcome> {
  const { id, status, last_payment_error, created } = intent;
  const ended = status === 'succeeded' || status === 'canceled' || status === 'processing';
  const declined = status === 'requires_payment_method' && last_payment_error !== null;
  const abandoned = now.getTime() - created * 1000 > abandoned_ms;
  if (ended || !(declined || abandoned)) return outcomeOf(intent);
  try {
    return outcomeOf(await stripe.paymentIntents.cancel(id, { cancellation_reason: 'abandoned' }));
  } catch (error) {
    if (!isFailure(error) || error.type !== 'StripeInvalidRequestError') throw error;
    // it was paid in this moment
    return outcomeOf(await stripe.paymentIntents.retrieve(id));
  }
}

/** Gives an amount back, once for each key, also after a day. Refuses `payments_unreachable`. */
export async function refund(stripe: Stripe, ask: RefundRequest): Promise<void> {
  const { key, intent_id, amount_minor, currency } = ask;
  const amount = toStripe(amount_minor, currency);
  if (amount === null) throw new Error(`Stripe cannot refund ${amount_minor} ${currency}.`);
  try {
    const { data } = await stripe.refunds.list({ payment_intent: intent_id, limit: 100 });
    const done = data.some(
      ({ metadata, status }) =>
        metadata?.cairn_refund === key && status !== 'failed' && status !== 'canceled',
    );
    if (done) return;
    await stripe.refunds.create(
      { payment_intent: intent_id, amount, metadata: { cairn_refund: key } },
      { idempotencyKey: `refund-${key}` },
    );
  } catch (error) {
    // the operator gave it back in Stripe's own pages
    if (isFailure(error) && error.code === 'charge_already_refunded') return;
    throw unreachable(error);
  }
}
