import type Stripe from 'stripe';
import { Refused } from '../../../../platform/errors.ts';
import { isId } from '../../../../platform/id.ts';
import type { Dispute, WebhookEvent } from '../../payments.ts';
import { fromStripe, moneyOf } from './amounts.ts';
import { retrieve } from './charge.ts';
import { feeOf } from './fees.ts';
import { isFailure, unreachable } from './outcome.ts';

const tolerance_s = 300;

/**
 * The events that mean something here; `content/docs/operators/selling.md` tells operators to register them. `created` comes
 * before the decision.
 */
const payments: ReadonlySet<string> = new Set([
  ...['payment_intent.succeeded', 'payment_intent.payment_failed', 'payment_intent.processing'],
  ...['payment_intent.requires_action', 'payment_intent.canceled'],
]);
/** Those that may be the first to know the fee. */
const charges: ReadonlySet<string> = new Set(['charge.succeeded', 'charge.updated']);
const disputes: ReadonlySet<string> = new Set([
  ...['charge.dispute.created', 'charge.dispute.updated', 'charge.dispute.closed'],
  ...['charge.dispute.funds_withdrawn', 'charge.dispute.funds_reinstated'],
]);

/**
 * Reads a webhook, see `Payments.verify`. What it says happened is read again: webhooks come late and in any order. Refuses
 * `payments_unreachable` too, whereupon Stripe sends it again.
 */
export async function verify(
  stripe: Stripe,
  secret: string,
  signature: string | null,
  body: string,
  now: Date,
): Promise<WebhookEvent> {
  const { id, type, data } = eventOf(stripe, secret, signature, body, now);
  const nothing = { id, charge_id: null, outcome: null, dispute: null, fee: null };
  if (payments.has(type)) {
    const { charge_id, outcome } = await retrieve(stripe, (data.object as Stripe.PaymentIntent).id, now);
    // payments of the same account that other programs made are not ours
    return charge_id && isId(charge_id) ? { ...nothing, charge_id, outcome } : nothing;
  }
  if (charges.has(type)) {
    const intent_id = idOf((data.object as Stripe.Charge).payment_intent);
    const fee = intent_id ? await feeOf(stripe, intent_id) : null;
    return fee && intent_id ? { ...nothing, fee: { ...fee, intent_id } } : nothing;
  }
  if (disputes.has(type))
    return { ...nothing, dispute: await readDispute(stripe, (data.object as Stripe.Dispute).id) };
  return nothing;
}

function eventOf(
  stripe: Stripe,
  secret: string,
  signature: string | null,
  body: string,
  now: Date,
): Stripe.Event {
  try {
    return stripe.webhooks.constructEvent(
      body,
      signature ?? '',
      secret,
      tolerance_s,
      undefined,
      now.getTime(),
    );
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new Refused('invalid_input', { problem: 'The event is malformed.' });
    if (!isFailure(error)) throw error;
    throw new Refused(error.message.includes('tolerance') ? 'webhook_stale' : 'webhook_signature');
  }
}

const idOf = (payment_intent: Stripe.Charge['payment_intent']): string | undefined =>
  typeof payment_intent === 'string' ? payment_intent : payment_intent?.id;

async function readDispute(stripe: Stripe, id: string): Promise<Dispute | null> {
  try {
    const { payment_intent, status, amount, currency, balance_transactions } =
      await stripe.disputes.retrieve(id);
    const intent_id = idOf(payment_intent);
    if (!intent_id) return null;
    const over = status === 'won' || status === 'warning_closed' || status === 'prevented';
    const [withdrawn, returned] = [-1, 1].map((sign) =>
      balance_transactions.filter((one) => Math.sign(one.amount) === sign),
    ) as [Stripe.BalanceTransaction[], Stripe.BalanceTransaction[]];
    // all of an account settle in the same currency
    const feesIn = ([first, ...others]: Stripe.BalanceTransaction[]) =>
      first
        ? moneyOf(
            others.reduce((sum, { fee }) => sum + fee, first.fee),
            first.currency,
          )
        : null;
    return {
      ...{ id, intent_id, amount_minor: fromStripe(amount, currency) },
      state: over ? 'won' : status === 'lost' ? 'lost' : 'open',
      ...{ withdrawn: withdrawn.length > 0, returned: returned.length > 0 },
      fees: { withdrawn: feesIn(withdrawn), returned: feesIn(returned) },
    };
  } catch (error) {
    throw unreachable(error);
  }
}
