import type Stripe from 'stripe';
import type { ListedMoney } from '../../payments.ts';
import { moneyOf } from './amounts.ts';
import { unreachable } from './outcome.ts';

/** What moved money at Stripe in a time, see `Payments.list`. Payments of other programs of the account are left out. */
export async function* list(stripe: Stripe, from: Date, until: Date): AsyncGenerator<ListedMoney> {
  const created = { gte: seconds(from), lt: seconds(until) };
  const common = { created, limit: 100 };
  try {
    for await (const { id, status, amount, currency, metadata } of stripe.paymentIntents.list(common)) {
      const charge_id = metadata.cairn_charge;
      if (status !== 'succeeded' || !charge_id) continue;
      yield { kind: 'payment', intent_id: id, key: charge_id, ...moneyOf(amount, currency) };
    }
    for await (const { payment_intent, status, amount, currency, metadata } of stripe.refunds.list(common)) {
      const intent_id = typeof payment_intent === 'string' ? payment_intent : payment_intent?.id;
      if (status === 'failed' || status === 'canceled' || !intent_id) continue;
      yield { kind: 'refund', intent_id, key: metadata?.cairn_refund ?? null, ...moneyOf(amount, currency) };
    }
    const booked = stripe.balanceTransactions.list({ ...common, expand: ['data.source'] });
    for await (const { id, fee, currency, source } of booked) {
      if (fee === 0) continue;
      yield { kind: 'fee', intent_id: intentOf(source) ?? id, key: null, ...moneyOf(fee, currency) };
    }
  } catch (error) {
    throw unreachable(error);
  }
}

/** The payment that a charge is of; null for anything else, such as a dispute. */
function intentOf(source: Stripe.BalanceTransaction['source']): string | null {
  if (typeof source !== 'object' || source?.object !== 'charge') return null;
  const { payment_intent } = source;
  return typeof payment_intent === 'string' ? payment_intent : (payment_intent?.id ?? null);
}

const seconds = (moment: Date): number => Math.floor(moment.getTime() / 1000);
