import type { Actor } from '../../../platform/people/rules.ts';
import {
  type BillingContext,
  type CheckoutResult,
  collectWhileWaiting,
  type Renewal,
  renewAndPay,
} from '../checkout.ts';
import { methodOf } from '../customers.ts';
import type { GivenMethod } from '../payments.ts';
import { type PlusOrder, placePlus, renewPlus as renewOne } from './write.ts';

/**
 * Buys Plus and pays for its first period: one transaction opens subscription and charge, the processor is called outside
 * of transactions, another one settles it. Refuses as `placePlus`, `Payments.resolveMethod`, and `payment_declined`.
 */
export async function buyPlus(
  context: BillingContext,
  actor: Actor,
  order: PlusOrder,
  given: GivenMethod | null,
  now: Date,
): Promise<CheckoutResult['state']> {
  const { sql, payments } = context;
  const method = await methodOf(sql, payments, actor, given, now);
  const { charge_id } = await sql.begin((tx) => placePlus(tx, actor, order, { payments, method }, now));
  return await collectWhileWaiting(context, charge_id, now);
}

/** Renews Plus and pays where a payment is due, see `write.ts`. Refuses `payment_declined` too. */
export const renewPlus = async (
  context: BillingContext,
  actor: Actor,
  how: Renewal,
  now: Date,
): Promise<CheckoutResult['state']> =>
  await renewAndPay(context, actor, how, (tx, choice) => renewOne(tx, actor, choice, now), now);
