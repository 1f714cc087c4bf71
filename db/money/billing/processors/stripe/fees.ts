import type Stripe from 'stripe';
import type { Money } from '../../payments.ts';
import { moneyOf } from './amounts.ts';
import { unreachable } from './outcome.ts';

/**
 * What Stripe keeps of a payment, in the currency in which it settles; null until it has settled it, which is seconds after
 * the payment. Asked for apart: a key that may not read balance transactions must still be able to take money. Refuses
 * `payments_unreachable`. By docs.stripe.com/payments/payment-intents/asynchronous-capture.
 */
export async function feeOf(stripe: Stripe, intent_id: string): Promise<Money | null> {
  const expand = ['latest_charge.balance_transaction'];
  try {
    const { latest_charge } = await stripe.paymentIntents.retrieve(intent_id, { expand });
    const booked = typeof latest_charge === 'object' ? latest_charge?.balance_transaction : null;
    return booked && typeof booked === 'object' ? moneyOf(booked.fee, booked.currency) : null;
  } catch (error) {
    throw unreachable(error);
  }
}
