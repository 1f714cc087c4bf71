import type { RefusalCode } from '../../../platform/errors.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import type { Currency } from '../data/currencies.ts';
import { plusPrices } from '../data/plus-prices.ts';
import {
  type Interval,
  intervals,
  isCurrency,
  isInterval,
  type SubscriptionState,
  whyNotSell,
} from '../rules.ts';

/** Rules for Plus, the subscription that supports the site: its prices, and who may buy and change it when. */

const places: Record<Interval, 0 | 1 | 2> = { monthly: 0, quarterly: 1, yearly: 2 };

/** What an interval of Plus costs, in minor units of `currency`. Source: specification §9. */
export const plusPriceOf = (currency: Currency, interval: Interval): number =>
  plusPrices[currency][places[interval]];

/** The interval that costs least per month: prices are fixed, and the longest one need not be the cheapest. */
export const cheapestInterval = (currency: Currency): Interval =>
  (Object.keys(intervals) as Interval[]).reduce((best, one) =>
    plusPriceOf(currency, one) * intervals[best] < plusPriceOf(currency, best) * intervals[one] ? one : best,
  );

/**
 * What creators get of a paid interval, in US cents: half of its price in dollars, whatever currency it was paid in. A half
 * cent is theirs, since they are promised half. Source: screens §A.6 (revenue maths).
 */
export const creatorsHalf = (interval: Interval): number => Math.ceil(plusPriceOf('USD', interval) / 2);

/**
 * What creators keep of their half of a charge, in US cents, after `given_minor` of `amount_minor` was refunded: as large a
 * part as was kept of the price. A part of a cent is theirs.
 */
export const halfLeft = (charge: {
  creators_minor: number;
  amount_minor: number;
  given_minor: number;
}): number =>
  Math.ceil((charge.creators_minor * (charge.amount_minor - charge.given_minor)) / charge.amount_minor);

/** What somebody asks for who buys Plus. */
export interface WantedPlus {
  interval: string;
  currency: string;
}

/**
 * Why `actor` may not buy Plus, with the data of the refusal, or null. `state` is that of the Plus they have, null without
 * one: there is one for each person, and one that failed or was canceled goes on by renewing it.
 */
export function whyNotBuyPlus(
  actor: Actor,
  { interval, currency }: WantedPlus,
  state: SubscriptionState | null,
  payments: { enabled: boolean },
): { code: RefusalCode; data: Record<string, unknown> } | null {
  const no = (code: RefusalCode, data: Record<string, unknown> = {}) => ({ code, data });
  const off = whyNotSell(payments);
  if (off) return no(off);
  // renewals and payments that fail are told by mail
  if (!actor.email_verified) return no('email_unverified');
  if (!isInterval(interval))
    return no('interval_unknown', { interval, allowed: Object.keys(intervals).join(', ') });
  if (!isCurrency(currency)) return no('currency_unknown', { currency });
  if (state === null || state === 'ended') return null;
  return no(state === 'pending' ? 'subscription_pending' : 'plus_owned');
}

/** Why the interval of Plus cannot be changed to `interval` in this state, or null. It changes with the next period. */
export function whyNotSwitchPlus(
  { state, term, next_term }: { state: SubscriptionState; term: Interval; next_term: Interval | null },
  interval: string,
): RefusalCode | null {
  if (!isInterval(interval)) return 'interval_unknown';
  if (state === 'active') return interval === (next_term ?? term) ? 'plus_unchanged' : null;
  if (state === 'pending') return 'subscription_pending';
  if (state === 'cancelled') return 'subscription_cancelled';
  return state === 'ended' ? 'plus_unknown' : 'subscription_unpaid';
}
