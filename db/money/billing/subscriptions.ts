import { assertAllowed, Refused } from '../../platform/errors.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { openCharge, voidUnsent } from './charges.ts';
import { giveBack } from './give-back.ts';
import type { Payments } from './payments.ts';
import { paidForPeriod } from './period.ts';
import { plusPriceOf } from './plus/rules.ts';
import {
  type Interval,
  isInterval,
  periodEnd,
  priceOf,
  renewsFree,
  whyNotCancel,
  whyNotResubscribe,
  whyNotSell,
} from './rules.ts';
import { type LockedSubscription, lockSubscription, startGracePeriod, transition } from './transition.ts';

/**
 * Cancels: the server runs until its period ends. One that has no place, yet or because its node was lost, and one whose
 * payment failed, ends now; what was paid for the period of a server without a place is given back. Gives what to enqueue in
 * the same transaction: the job, and `refund_charge` for each of the charges. Charges that were not sent yet are voided; `subscription_pending` is also the answer while a payment to resubscribe is under way.
 * Refuses `server_not_found`, `subscription_pending`, `subscription_cancelled`. Source: decisions §4.1.
 */
export async function cancel(
  tx: Db,
  actor: Actor,
  server_id: string,
  now: Date,
): Promise<{
  subscription_id: string;
  job: 'reconcile_server' | null;
  charge_ids: string[];
}> {
  const one = await lockSubscription(tx, actor, server_id, now);
  await voidToCancel(tx, one, now);
  const told = { subscription_id: one.id, charge_ids: [] };
  if (one.state === 'failed') {
    await startGracePeriod(tx, one.id, 'payment_failed', now);
    return { ...told, job: 'reconcile_server' };
  }
  const placed = await tx`select 1 from servers where id = ${server_id} and node_id is not null`;
  if (placed.length > 0) {
    await transition(tx, one.id, 'cancelled');
    return { ...told, job: null };
  }
  return { ...told, job: 'reconcile_server', charge_ids: await endAndRefund(tx, one, 'refunded', now) };
}

/**
 * Voids what was not sent of a locked subscription, so that it can be canceled. Refuses as `whyNotCancel`, and
 * `subscription_pending` while a payment to resubscribe or for another plan is under way.
 */
export async function voidToCancel(
  tx: Db,
  { id, state }: Pick<LockedSubscription, 'id' | 'state'>,
  now: Date,
): Promise<void> {
  assertAllowed(whyNotCancel(state));
  await voidUnsent(tx, id, now);
  const paying = await tx`
    select 1 from charges where subscription_id = ${id} and reason in ('again', 'change') and state in ('open', 'waiting')`;
  if (paying.length > 0) throw new Refused('subscription_pending');
}

/**
 * Ends the locked subscription of a server that has no place, and gives back in the ledger what its current period was paid
 * with: less what was given back already, and nothing of a charge that is disputed or of earlier periods. Gives the charges of
 * which the processor has to refund something, for the caller's jobs `refund_charge`.
 */
export async function endAndRefund(
  tx: Db,
  { id, order_id }: Pick<LockedSubscription, 'id' | 'order_id'>,
  order_state: 'refunded' | 'failed',
  now: Date,
): Promise<string[]> {
  await voidUnsent(tx, id, now);
  await transition(tx, id, 'ended', { next_attempt: null, grace_until: null });
  await tx`update orders set state = ${order_state} where id = ${order_id}`;
  const paid = (await paidForPeriod(tx, id)).filter(({ share_minor }) => share_minor > 0);
  for (const { share_minor: amount_minor, ...charge } of paid)
    await giveBack(tx, charge, { amount_minor, cause: 'undelivered' }, now);
  return paid.map((charge) => charge.id);
}

/**
 * Resubscribes. A cancelled subscription whose period still runs continues without a payment; after that a new period
 * begins with the charge that is returned. Refuses `server_not_found`, `subscription_active`, `subscription_pending`,
 * `subscription_ended`, `interval_unknown` (a trial has none yet), `card_required`, `payments_off`.
 */
export async function resubscribe(
  tx: Db,
  actor: Actor,
  server_id: string,
  how: RenewalChoice,
  now: Date,
): Promise<{ subscription_id: string; charge_id: string | null }> {
  return await resubscribeLocked(tx, actor, await lockSubscription(tx, actor, server_id, now), how, now);
}

/** How somebody resubscribes: an interval and a card where they choose others. */
export interface RenewalChoice {
  interval: string | null;
  method_id: string | null;
  payments: Pick<Payments, 'name' | 'enabled'>;
}

const priceIn = ({ product, ram_mb, currency }: LockedSubscription, interval: Interval): number =>
  product === 'plus' ? plusPriceOf(currency, interval) : priceOf(ram_mb / 1024, currency, interval);

/** `resubscribe` for a subscription that its owner has locked, of a server or of Plus. */
export async function resubscribeLocked(
  tx: Db,
  actor: Actor,
  one: LockedSubscription,
  how: RenewalChoice,
  now: Date,
): Promise<{ subscription_id: string; charge_id: string | null }> {
  assertAllowed(whyNotResubscribe(one.state));
  if (renewsFree(one)) {
    // the card that is chosen pays from the next period on
    if (how.method_id) await tx`update subscriptions set method_id = ${how.method_id} where id = ${one.id}`;
    await transition(tx, one.id, 'active');
    return { subscription_id: one.id, charge_id: null };
  }
  assertAllowed(whyNotSell(how.payments));
  const open = await tx<Array<{ id: string }>>`
    select id from charges where subscription_id = ${one.id} and state in ('open', 'waiting')`;
  if (open[0]) {
    // a renewal from before the grace period would be refunded as too late: it becomes the payment for a new period
    if (one.state === 'grace' && one.term !== 'trial')
      await tx`
        update charges set reason = 'again', period_start = ${now}, period_end = ${periodEnd(now, now, one.term)}
        where id = ${open[0].id} and reason = 'renewal'`;
    return { subscription_id: one.id, charge_id: open[0].id };
  }
  const term = how.interval ?? one.term;
  if (!isInterval(term))
    throw new Refused('interval_unknown', { interval: term, allowed: 'monthly, quarterly, yearly' });
  const method_id = how.method_id ?? one.method_id;
  if (!method_id) throw new Refused('card_required');
  await tx`update subscriptions set ${tx({ term, method_id, price_minor: priceIn(one, term) })} where id = ${one.id}`;
  const period = { period_start: now, period_end: periodEnd(now, now, term) };
  const processor = how.payments.name;
  const charge_id = await openCharge(
    tx,
    { subscription_id: one.id, reason: 'again', ...period, processor, by: actor },
    now,
  );
  return { subscription_id: one.id, charge_id };
}
