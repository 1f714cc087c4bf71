import { serverName } from '../../hosting/servers/name.ts';
import { assertAllowed, Refused } from '../../platform/errors.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { type BillingContext, openOrder, openWithMethod, type Renewal } from './checkout.ts';
import { methodOf } from './customers.ts';
import { type OwnCharge, ownCharge } from './desk/records.ts';
import { type Payment, payCharge, takeBack } from './pay-charge.ts';
import type { GivenMethod } from './payments.ts';
import type { WantedPlan } from './plan-change/rules.ts';
import { changePlan } from './plan-changes/write.ts';
import { type PlusOrder, placePlus, renewPlus } from './plus-orders/write.ts';
import { type Plan, ramGbOf, whyNotPayAgain } from './rules.ts';
import { type RenewalChoice, resubscribe } from './subscriptions.ts';
import type { OrderInput } from './write.ts';

/**
 * Paying as programs do it: each call says by which charge it was paid, and goes on with one that waits instead of opening a
 * second one. Source: api-v3 §6.
 */

/** How a new order is paid: `existing` is a charge that its payer says is the one for it. */
interface OrderPayment {
  given: GivenMethod | null;
  existing: OwnCharge | null;
}

/**
 * Orders a server, see `placeOrder`. An `existing` charge that waits for the same order is paid, with the method that is
 * given now; one that waits for another order is taken back first; one that failed took no money. Refuses as `placeOrder` and
 * `payCharge`, and as `takeBack` where the existing one cannot be taken back.
 */
export async function payOrder(
  context: BillingContext,
  actor: Actor,
  input: OrderInput,
  { given, existing }: OrderPayment,
  now: Date,
): Promise<Payment> {
  const method = await methodOf(context.sql, context.payments, actor, given, now);
  const wanted = {
    ...{ ram_mb: ramGbOf(input.plan as Plan, input.ram_gb) * 1024, term: input.interval },
    ...{ currency: input.currency, region: input.region, name: serverName(input.name) },
  };
  const charge_id =
    (await goesOn(context, existing, wanted, now)) ??
    (await openOrder(context, actor, input, method, now)).charge_id;
  return await payCharge(context, actor, charge_id, method, now);
}

/** Buys Plus, see `placePlus`, as `payOrder` orders a server. */
export async function payPlus(
  context: BillingContext,
  actor: Actor,
  order: PlusOrder,
  { given, existing }: OrderPayment,
  now: Date,
): Promise<Payment> {
  const { sql, payments } = context;
  const method = await methodOf(sql, payments, actor, given, now);
  const wanted = {
    ...{ ram_mb: null, term: order.interval, currency: order.currency },
    ...{ region: null, name: null },
  };
  const charge_id =
    (await goesOn(context, existing, wanted, now)) ??
    (await sql.begin((tx) => placePlus(tx, actor, order, { payments, method }, now))).charge_id;
  return await payCharge(context, actor, charge_id, method, now);
}

/** The existing charge where it is for what is wanted, or null, when it took no money and never will. */
async function goesOn(
  context: BillingContext,
  existing: OwnCharge | null,
  wanted: {
    ram_mb: number | null;
    term: string;
    currency: string;
    region: string | null;
    name: string | null;
  },
  now: Date,
): Promise<string | null> {
  if (existing === null || existing.state === 'failed') return null;
  const { id, reason, ram_mb, term, currency, region, name } = existing;
  const same = (Object.keys(wanted) as Array<keyof typeof wanted>).every(
    (key) => wanted[key] === { ram_mb, term, currency, region, name }[key],
  );
  if (same && reason === 'first') return id;
  if (reason !== 'first') throw new Refused('operation_mismatch');
  await takeBack(context, id, now);
  return null;
}

/**
 * Pays a charge of the actor: one that waits as `payCharge`, one that failed by a new charge for the same subscription. Refuses
 * `charge_not_found`, as `whyNotPayAgain` (what was never paid for is ordered again), and as `payCharge`.
 */
export async function payExisting(
  context: BillingContext,
  actor: Actor,
  charge_id: string,
  given: GivenMethod | null,
  now: Date,
): Promise<Payment> {
  const { sql, payments } = context;
  const one = await ownCharge(sql, actor, { id: charge_id });
  if (one.state !== 'failed') {
    const method = await methodOf(sql, payments, actor, given, now);
    return await payCharge(context, actor, charge_id, method, now);
  }
  assertAllowed(whyNotPayAgain(one.subscription_state));
  return await payRenewal(context, actor, one.server_id, { interval: null, method: given }, now);
}

/** Renews a server, or Plus (null), see `resubscribe`, and pays where a payment is due. Refuses as that and `payCharge`. */
export async function payRenewal(
  context: BillingContext,
  actor: Actor,
  server_id: string | null,
  { interval, method: given }: Renewal,
  now: Date,
): Promise<Payment> {
  const { payments } = context;
  const renew = async (tx: Db, method_id: string | null) => {
    const choice: RenewalChoice = { interval, method_id, payments };
    return server_id === null
      ? await renewPlus(tx, actor, choice, now)
      : await resubscribe(tx, actor, server_id, choice, now);
  };
  const { charge_id, method } = await openWithMethod(context, actor, given, renew, now);
  return await payCharge(context, actor, charge_id, method, now);
}

/** Changes the plan of a server, see `plan-change/write.ts`, and pays what is due now. Refuses as that and `payCharge`. */
export async function payPlanChange(
  context: BillingContext,
  actor: Actor,
  asked: WantedPlan & { server_id: string; op_id: string },
  given: GivenMethod | null,
  now: Date,
): Promise<Payment> {
  const { payments } = context;
  const { charge_id, method } = await openWithMethod(
    context,
    actor,
    given,
    (tx, method_id) => changePlan(tx, actor, asked, { method_id, payments }, now),
    now,
  );
  return await payCharge(context, actor, charge_id, method, now);
}
