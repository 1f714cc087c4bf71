import type Stripe from 'stripe';
import type { ListedMoney } from '../../payments.ts';
import { fromStripe } from './amounts.ts';
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
    for await (const { id, fee, currency } of stripe.balanceTransactions.list(common))
      if (fee !== 0) yield { kind: 'fee', intent_id: id, key: null, ...moneyOf(fee, currency) };
  } catch (error) {
    throw unreachable(error);
  }
}

const seconds = (moment: Date): number => Math.floor(moment.getTime() / 1000);
const moneyOf = (amount: number, currency: string) => ({
  amount_minor: fromStripe(amount, currency),
  currency: currency.toUpperCase(),
});
