import { assertAllowed, Refused } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/write.ts';
import { newId } from '../../../platform/id.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { keepCancelAnswer } from '../cancel-answer.ts';
import type { CancelAnswer } from '../cancel-reasons.ts';
import { openCharge, voidUnsent } from '../charges.ts';
import type { Method, Payments } from '../payments.ts';
import { plusPriceOf, type WantedPlus, whyNotBuyPlus, whyNotSwitchPlus } from '../plus/rules.ts';
import { assertMayPay } from '../proof-bound.ts';
import { type Currency, type Interval, intervals, periodEnd, type SubscriptionState } from '../rules.ts';
import { upsertPaymentMethod } from '../store-method.ts';
import { type RenewalChoice, resubscribeLocked, voidToCancel } from '../subscriptions.ts';
import { type LockedSubscription, transition } from '../transition.ts';
import { repeated_ms } from '../write.ts';

/** What somebody sent who buys Plus. */
export interface PlusOrder extends WantedPlus {
  /** The same one twice is one subscription and one payment; without one, what they have just bought alike is meant. */
  op_id: string | null;
}

/**
 * Opens the subscription of Plus with the charge of its first period, which the caller collects. One for each person, also
 * when two browsers buy at once. Refuses as `whyNotBuyPlus`, `card_required`, `payment_methods_limit`, `plus_owned` (the `op_id` bought another
 * interval), and `operation_mismatch` (it belongs to another user).
 */
export async function placePlus(
  tx: Db,
  actor: Actor,
  { op_id, interval, currency }: PlusOrder,
  { payments, method }: { payments: Pick<Payments, 'name' | 'enabled'>; method: Method | null },
  now: Date,
): Promise<{ charge_id: string }> {
  const { user_id } = actor;
  // the second of two purchases waits and finds the first
  await tx`select 1 from users where id = ${user_id} for no key update`;
  const before =
    op_id === null
      ? await findAlike(tx, user_id, { interval, currency }, now)
      : await findOrder(tx, user_id, op_id);
  if (before) {
    if (before.interval !== interval || before.currency !== currency) throw new Refused('plus_owned');
    return { charge_id: before.charge_id };
  }
  const [own] = await tx<Array<{ state: SubscriptionState }>>`
    select state from subscriptions where user_id = ${user_id} and product = 'plus' and state <> 'ended'`;
  const refused = whyNotBuyPlus(actor, { interval, currency }, own?.state ?? null, payments);
  if (refused) throw new Refused(refused.code, refused.data);
  if (!method) throw new Refused('card_required');
  const term = interval as Interval;
  const id = newId();
  const period = { period_start: now, period_end: periodEnd(now, now, term) };
  await tx`insert into subscriptions ${tx({
    ...{ id, user_id, product: 'plus', op_id, plan: 'plus', state: 'pending', term, currency },
    ...{ price_minor: plusPriceOf(currency as Currency, term), anchor: now, ...period, created: now },
    method_id: await upsertPaymentMethod(tx, actor, payments.name, method, now),
  })}`;
  await recordEvent(tx, {
    ...{ name: 'plus.ordered', actor_id: user_id, user_id },
    data: { subscription_id: id, term },
  });
  const to = { processor: payments.name, by: actor };
  const charge = { subscription_id: id, reason: 'first' as const, ...period, ...to };
  return { charge_id: await openCharge(tx, charge, now) };
}

/**
 * What was bought with this `op_id`. A payment that failed took no money: the same form is sent again with another card, so
 * it counts as not bought. Refuses `operation_mismatch`.
 */
async function findOrder(
  tx: Db,
  user_id: string,
  op_id: string,
): Promise<{ interval: string; currency: string; charge_id: string } | null> {
  const [before] = await tx<
    Array<{
      id: string;
      user_id: string;
      currency: string;
      interval: string;
      charge_id: string;
      charge: string;
    }>
  >`
    select u.id, u.user_id, u.currency, u.term as interval, c.id as charge_id, c.state as charge
    from subscriptions u join charges c on c.subscription_id = u.id and c.reason = 'first' where u.op_id = ${op_id}`;
  if (before && before.user_id !== user_id) throw new Refused('operation_mismatch');
  if (before?.charge !== 'failed') return before ?? null;
  await tx`update subscriptions set op_id = null where id = ${before.id}`;
  return null;
}

/** The Plus of somebody with this interval and currency, when its first payment waits or has come a moment ago. */
async function findAlike(
  tx: Db,
  user_id: string,
  { interval, currency }: WantedPlus,
  now: Date,
): Promise<{ interval: string; currency: string; charge_id: string } | null> {
  const [before] = await tx<Array<{ interval: string; currency: string; charge_id: string }>>`
    select u.term as interval, u.currency, c.id as charge_id
    from subscriptions u join charges c on c.subscription_id = u.id and c.reason = 'first'
    where u.user_id = ${user_id} and u.product = 'plus' and u.state in ('pending', 'active')
      and u.term = ${interval} and u.currency = ${currency}
      and (c.state in ('open', 'waiting')
        or (c.state = 'succeeded' and c.settled > ${new Date(now.getTime() - repeated_ms)}))`;
  return before ?? null;
}

/** Locks the Plus that the actor has and changes. Refuses `plus_unknown` without one, and as `assertMayPay`. */
async function lockPlus(tx: Db, actor: Actor, now: Date): Promise<LockedSubscription> {
  assertMayPay(actor, now);
  const { user_id } = actor;
  const [one] = await tx<LockedSubscription[]>`
    select * from subscriptions where user_id = ${user_id} and product = 'plus' and state <> 'ended' for update`;
  if (!one) throw new Refused('plus_unknown');
  return one;
}

/**
 * Cancels the Plus of the actor: it stays until the end of the paid period, and ends now when its payment failed. Refuses
 * `plus_unknown`, `subscription_pending` (a payment to renew is under way, too), `subscription_cancelled`. Keeps what its owner
 * says about why.
 */
export async function cancelPlus(
  tx: Db,
  actor: Actor,
  now: Date,
  answer: CancelAnswer | null = null,
): Promise<void> {
  const one = await lockPlus(tx, actor, now);
  await cancelLockedPlus(tx, one, now);
  if (answer) await keepCancelAnswer(tx, one.id, answer);
}

/** `cancelPlus` for a subscription that is locked, also by staff. */
export async function cancelLockedPlus(
  tx: Db,
  one: Pick<LockedSubscription, 'id' | 'state'>,
  now: Date,
): Promise<void> {
  await voidToCancel(tx, one, now);
  const stopped = { next_term: null, next_price_minor: null, next_attempt: null };
  await transition(tx, one.id, one.state === 'failed' ? 'ended' : 'cancelled', stopped);
}

/**
 * Renews the Plus of the actor, see `resubscribeLocked`: undoes a cancellation, or opens the charge of a new period. Refuses
 * `plus_unknown` and what that does.
 */
export async function renewPlus(
  tx: Db,
  actor: Actor,
  how: RenewalChoice,
  now: Date,
): Promise<{ charge_id: string | null }> {
  return await resubscribeLocked(tx, actor, await lockPlus(tx, actor, now), how, now);
}

/**
 * Changes the interval of the actor's Plus with its next period; choosing the current one takes that back. Refuses
 * `plus_unknown` and as `whyNotSwitchPlus`.
 */
export async function switchPlus(tx: Db, actor: Actor, interval: string, now: Date): Promise<void> {
  const one = await lockPlus(tx, actor, now);
  const { term, next_term } = one as { term: Interval; next_term: Interval | null };
  const allowed = Object.keys(intervals).join(', ');
  assertAllowed(whyNotSwitchPlus({ state: one.state, term, next_term }, interval), { interval, allowed });
  const chosen = interval as Interval;
  const next =
    chosen === term
      ? { next_term: null, next_price_minor: null }
      : { next_term: chosen, next_price_minor: plusPriceOf(one.currency, chosen) };
  await tx`update subscriptions set ${tx(next)} where id = ${one.id}`;
  await recordEvent(tx, {
    ...{ name: 'plus.interval_chosen', actor_id: actor.user_id, user_id: actor.user_id },
    data: { subscription_id: one.id, term: chosen },
  });
}

/** Begins the interval that was chosen for the next period of a locked Plus; null when none was. */
export async function beginSwitch(tx: Db, one: LockedSubscription): Promise<{ term: Interval } | null> {
  if (one.next_term === null) return null;
  const [begun] = await tx<Array<{ term: Interval }>>`
    update subscriptions set term = next_term, price_minor = next_price_minor, next_term = null, next_price_minor = null
    where id = ${one.id} returning term`;
  return begun!;
}

/** Ends the Plus of an account that is deleted, if it has one: nothing more is charged, nothing is given back. */
export async function endPlus(tx: Db, user_id: string, now: Date): Promise<void> {
  const [one] = await tx<Array<{ id: string }>>`
    select id from subscriptions where user_id = ${user_id} and product = 'plus' and state <> 'ended' for update`;
  if (!one) return;
  await voidUnsent(tx, one.id, now);
  await transition(tx, one.id, 'ended', { next_attempt: null, grace_until: null });
}
