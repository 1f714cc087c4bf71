import type { RefusalCode } from '../../platform/errors.ts';
import { type Currency, currencies } from './data/currencies.ts';

/** Prices and sizes of servers, and rules for subscriptions. Source: specification §4, §9. */

export { type Currency, currencies, currencyOf } from './data/currencies.ts';

export const plans = ['small', 'medium', 'large', 'custom', 'trial'] as const;
export type Plan = (typeof plans)[number];
/** The standard plans with their memory and number of players. Source: specification §9. */
export const standardPlans = {
  small: { gb: 4, players: [1, 5] },
  medium: { gb: 6, players: [6, 15] },
  large: { gb: 8, players: [15, 25] },
} as const;
export const customGb = { least: 2, most: 48, step: 2 } as const;
export const trialGb = 3;
export const trialDays = 5;
/** Maximum of trials per client network and day. */
export const trialsPerNetwork = 5;
/** Grace period after the paid time: the server is off, its files can be downloaded. */
export const graceDays = 7;
/**
 * Days between the tries to collect a failed charge, each pause longer than the one before; together not longer than the
 * grace period. After the last one the server is suspended.
 */
export const retryDays = [1, 2, 4] as const;
/** When a server is suspended whose renewal fails at every try; its paid period ended at `period_end`. */
export const suspendedAt = (period_end: Date): Date =>
  addDays(
    period_end,
    retryDays.reduce((sum, days) => sum + days, 0),
  );

/**
 * When what could not be renewed stops if nobody pays, after the try that has just failed and those still to come, and when its
 * files are deleted. `attempts` counts the tries that failed.
 */
export function endsUnpaid(
  { attempts, next_attempt }: { attempts: number; next_attempt: Date | null },
  now: Date,
): { stops: Date; deleted: Date } {
  const days = retryDays.slice(attempts).reduce((sum, pause) => sum + pause, 0);
  const stops = next_attempt === null ? now : addDays(next_attempt, days);
  return { stops, deleted: addDays(stops, graceDays) };
}

/** Payment methods that a user may keep. */
export const maxMethods = 20;

/** Whether a card is no longer valid: it is until its month ends, in UTC. */
export const isExpired = (card: { expires_month: number; expires_year: number }, now: Date): boolean =>
  Date.UTC(card.expires_year, card.expires_month, 1) <= now.getTime();

export const regions = ['north-america', 'western-europe', 'central-europe', 'southeast-asia'] as const;
export type Region = (typeof regions)[number];

/** Billing intervals in calendar months; the trial runs for days. */
export const intervals = { monthly: 1, quarterly: 3, yearly: 12 } as const;
export type Interval = keyof typeof intervals;
export type Term = Interval | 'trial';
/** The price of an interval in halves of a month's price: a quarter costs two and a half months. Source: specification §9. */
const half_months: Record<Interval, number> = { monthly: 2, quarterly: 5, yearly: 20 };

/** Memory of a plan in GB; `custom_gb` is that of the plan `custom`. */
export const ramGbOf = (plan: Plan, custom_gb: number | null | undefined): number =>
  plan === 'custom' ? (custom_gb ?? 0) : plan === 'trial' ? trialGb : standardPlans[plan].gb;

/** Payments in currencies with thousandths are in whole tens of them: card networks settle no less. */
export const paymentStep = (currency: Currency): number => (currencies[currency].digits === 3 ? 10 : 1);

/** What one interval costs, in minor units of `currency` (USD: cents). */
export const priceOf = (gb: number, currency: Currency, interval: Interval): number =>
  (currencies[currency].gb_month * gb * half_months[interval]) / 2;

export const isPlan = (text: string): text is Plan => (plans as readonly string[]).includes(text);
export const isRegion = (text: string): text is Region => (regions as readonly string[]).includes(text);
export const isCurrency = (text: string): text is Currency => Object.hasOwn(currencies, text);
export const isInterval = (text: string): text is Interval => Object.hasOwn(intervals, text);

/** Why this installation sells nothing, trials included, or null. */
export const whyNotSell = ({ enabled }: { enabled: boolean }): RefusalCode | null =>
  enabled ? null : 'payments_off';

/** An order as the client sent it. */
export interface OrderRequest {
  plan: string;
  ram_gb?: number | null | undefined;
  interval: string;
  region: string;
  currency: string;
  terms_accepted: boolean;
}

/** Why an order is invalid, with the data of the refusal, or null. Capacity and payment are checked elsewhere. */
export function whyNotOrder(wish: OrderRequest): { code: RefusalCode; data: Record<string, unknown> } | null {
  const no = (code: RefusalCode, data: Record<string, unknown> = {}) => ({ code, data });
  if (!isPlan(wish.plan)) return no('plan_unknown', { plan: wish.plan, allowed: plans.join(', ') });
  const { least, most, step } = customGb;
  const gb = ramGbOf(wish.plan, wish.ram_gb);
  if (wish.plan === 'custom' && !(gb >= least && gb <= most && gb % step === 0))
    return no('plan_ram', { least, most, step });
  if (!isRegion(wish.region))
    return no('region_unknown', { region: wish.region, allowed: regions.join(', ') });
  if (!isCurrency(wish.currency)) return no('currency_unknown', { currency: wish.currency });
  if (wish.plan !== 'trial' && !isInterval(wish.interval))
    return no('interval_unknown', { interval: wish.interval, allowed: Object.keys(intervals).join(', ') });
  return wish.terms_accepted ? null : no('terms_required');
}

/** `count` calendar months after `from`, in UTC; a day that a month does not have is its last one. */
export function addMonths(from: Date, count: number): Date {
  const to = new Date(from);
  to.setUTCDate(1);
  to.setUTCMonth(to.getUTCMonth() + count);
  const last = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate();
  to.setUTCDate(Math.min(from.getUTCDate(), last));
  return to;
}
export const addDays = (from: Date, days: number): Date => new Date(from.getTime() + days * 86_400_000);

/**
 * When the period ends that begins at `from`. Counted from `anchor`, the first day, so that the 31st comes back after a
 * February.
 */
export function periodEnd(anchor: Date, from: Date, term: Term): Date {
  if (term === 'trial') return addDays(from, trialDays);
  const months = intervals[term];
  for (let count = months; ; count += months) {
    const end = addMonths(anchor, count);
    if (end > from) return end;
  }
}

/**
 * States of a subscription. `pending` waits for its first payment; `failed` could not be renewed and is tried again;
 * `cancelled` runs until its period ends; in `grace` the server is suspended and can be downloaded; `ended` is final.
 */
export const subscriptionStates = ['pending', 'active', 'failed', 'cancelled', 'grace', 'ended'] as const;
export type SubscriptionState = (typeof subscriptionStates)[number];
export const subscriptionMoves: Record<SubscriptionState, readonly SubscriptionState[]> = {
  // `ended` follows every state: its owner may delete a server at any time
  pending: ['active', 'ended'],
  active: ['cancelled', 'failed', 'grace', 'ended'],
  failed: ['active', 'grace', 'ended'],
  cancelled: ['active', 'grace', 'ended'],
  grace: ['active', 'ended'],
  ended: [],
};

/** Why a server is suspended while its subscription is in its grace period. */
export type GraceReason = 'cancelled' | 'trial_ended' | 'payment_failed';

export interface SubscriptionFacts {
  state: SubscriptionState;
  term: Term;
  period_end: Date | null;
  /** When the next try to collect a failed charge is due; null after the last one. */
  next_attempt: Date | null;
  grace_until: Date | null;
}
export type Due = 'renew' | 'retry' | 'end_trial' | 'end_period' | 'give_up' | 'remove';

/** What is due for a subscription now, or null. */
export function dueNow(one: SubscriptionFacts, now: Date): Due | null {
  const over = (moment: Date | null) => moment !== null && moment <= now;
  switch (one.state) {
    case 'active':
      if (!over(one.period_end)) return null;
      return one.term === 'trial' ? 'end_trial' : 'renew';
    case 'failed':
      if (one.next_attempt === null) return 'give_up';
      return over(one.next_attempt) ? 'retry' : null;
    case 'cancelled':
      return over(one.period_end) ? 'end_period' : null;
    case 'grace':
      return over(one.grace_until) ? 'remove' : null;
    case 'pending':
    case 'ended':
      return null;
  }
}

/** Why a charge was opened: the first payment, a renewal, a payment to resubscribe (`again`), or a change of plan. */
export type ChargeReason = 'first' | 'renewal' | 'again' | 'change';
/** `open` was not sent to its processor yet, `waiting` is not decided there; `refunded` was paid and given back. */
export type ChargeState = 'open' | 'waiting' | 'succeeded' | 'failed' | 'refunded';

/** In which states a payment continues the subscription; in all others it comes too late and is refunded. */
const paidFor: Record<ChargeReason, readonly SubscriptionState[]> = {
  first: ['pending'],
  renewal: ['active', 'failed'],
  // `active` is missing: its period is paid already
  again: ['failed', 'cancelled', 'grace'],
  change: ['active'],
};

/**
 * What a settled charge does to its subscription: `activate` begins the paid period, `refund` gives a late payment back
 * and leaves the subscription as it is, `retry` schedules another try, `end` ends an order that was never paid, `none`.
 */
export type SettlementEffect = 'activate' | 'refund' | 'retry' | 'end' | 'none';
export function settlementEffect(
  reason: ChargeReason,
  state: SubscriptionState,
  outcome: 'succeeded' | 'failed',
): SettlementEffect {
  const expected = paidFor[reason].includes(state);
  if (outcome === 'succeeded') return expected ? 'activate' : 'refund';
  if (!expected || reason === 'again' || reason === 'change') return 'none';
  return reason === 'first' ? 'end' : 'retry';
}

/**
 * How far an order without a server is: `paying` waits for its payment, `paid` for its server; `unpaid` was never paid,
 * `refused` could not be made into a server, `refunded` ended before it had a place. Null when its server was deleted.
 */
export type OrderProgress = 'paying' | 'paid' | 'unpaid' | 'refused' | 'refunded';
export function orderProgress(facts: {
  order: 'pending' | 'paid' | 'failed' | 'refunded';
  subscription: SubscriptionState;
  /** State of its first charge; null for a trial. */
  charge: string | null;
}): OrderProgress | null {
  const { order, subscription, charge } = facts;
  if (order === 'pending') return 'paying';
  if (order === 'paid') return subscription === 'ended' ? null : 'paid';
  if (order === 'failed') return charge === 'failed' ? 'unpaid' : 'refused';
  return 'refunded';
}

/** Why a subscription cannot be cancelled in this state, or null. One whose payment failed can. Source: specification §4. */
export function whyNotCancel(state: SubscriptionState): RefusalCode | null {
  if (state === 'active' || state === 'failed') return null;
  return state === 'pending' ? 'subscription_pending' : 'subscription_cancelled';
}

/**
 * What becomes of the money when a server is deleted: nothing was paid (`free`), nothing more is charged (`unpaid`), the
 * paid time is lost (`lost`), or it is lost and canceling would give it back (`refundable`). Source: specification §9.
 */
export type DeletionCost = 'free' | 'unpaid' | 'lost' | 'refundable';
export function deletionCost(
  subscription: { state: SubscriptionState; term: Term; placed: boolean } | null,
): DeletionCost {
  if (!subscription || subscription.term === 'trial' || subscription.state === 'ended') return 'free';
  const { state, placed } = subscription;
  if (state === 'active' && !placed) return 'refundable';
  return state === 'active' || state === 'cancelled' ? 'lost' : 'unpaid';
}

/** Why a charge that failed cannot be paid by renewing its subscription in this state, or null. */
export const whyNotPayAgain = (state: SubscriptionState): RefusalCode | null =>
  state === 'cancelled' ? 'subscription_cancelled' : whyNotResubscribe(state);

/** Whether renewing takes back a cancellation and nothing else: the period is paid, and a trial has none. */
export const renewsFree = ({ state, term }: Pick<SubscriptionFacts, 'state' | 'term'>): boolean =>
  state === 'cancelled' && term !== 'trial';

/** Why its owner cannot resubscribe in this state, or null. */
export function whyNotResubscribe(state: SubscriptionState): RefusalCode | null {
  if (state === 'cancelled' || state === 'failed' || state === 'grace') return null;
  if (state === 'ended') return 'subscription_ended';
  return state === 'pending' ? 'subscription_pending' : 'subscription_active';
}
