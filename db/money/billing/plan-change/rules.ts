import type { RefusalCode } from '../../../platform/errors.ts';
import {
  type Currency,
  customGb,
  type Interval,
  intervals,
  isInterval,
  isPlan,
  type Plan,
  paymentStep,
  periodEnd,
  plans,
  priceOf,
  ramGbOf,
  type SubscriptionState,
  type Term,
} from '../rules.ts';

/** Rules for changing the plan or the interval of a server that runs. Source: specification §9; hosting §5.5. */

/** Longest name of a plan or an interval that is read. */
export const max_plan_text = 20;

/** What a subscription pays for now. */
export interface PaidPlan {
  ram_gb: number;
  plan: Plan;
  term: Term;
  currency: Currency;
  /** What was paid for its period, less what was given back. */
  paid_minor: number;
  period_start: Date;
  period_end: Date;
}

/** What it should pay for. */
export interface WantedPlan {
  plan: string;
  ram_gb?: number | null | undefined;
  interval: string;
}

/** A change and what it costs. Amounts are in minor units of the subscription's currency. */
export interface PlanChange {
  /** `now`: charged and changed at once; `later`: from the next period on; `none`: it is so already. */
  kind: 'now' | 'later' | 'none';
  plan: Plan;
  ram_gb: number;
  term: Interval;
  /** Of one period of the new plan. */
  price_minor: number;
  /** What the rest of the paid period is worth, taken off what is due. */
  credit_minor: number;
  /** To be paid now. */
  due_minor: number;
  /** The first period of the new plan. */
  starts: Date;
  ends: Date;
}

/** Why a plan cannot be chosen, with the data of the refusal, or null. */
export function whyNotWanted({ plan, ram_gb, interval }: WantedPlan): {
  code: RefusalCode;
  data: Record<string, unknown>;
} | null {
  const sold = plans.filter((one) => one !== 'trial');
  if (!isPlan(plan) || plan === 'trial')
    return { code: 'plan_unknown', data: { plan, allowed: sold.join(', ') } };
  const { least, most, step } = customGb;
  const gb = ramGbOf(plan, ram_gb);
  if (plan === 'custom' && !(gb >= least && gb <= most && gb % step === 0))
    return { code: 'plan_ram', data: { least, most, step } };
  return isInterval(interval)
    ? null
    : { code: 'interval_unknown', data: { interval, allowed: Object.keys(intervals).join(', ') } };
}

/** Why the plan of a subscription in this state cannot be changed, or null. */
export function whyNotChangePlan(state: SubscriptionState): RefusalCode | null {
  if (state === 'active') return null;
  if (state === 'pending') return 'subscription_pending';
  if (state === 'failed') return 'subscription_unpaid';
  return state === 'cancelled' ? 'subscription_cancelled' : 'subscription_ended';
}

/** What the rest of a paid period is worth, in whole steps of payments, rounded down; a trial is worth nothing. */
export function creditOf(paid: PaidPlan, now: Date): number {
  const { term, paid_minor, period_start, period_end } = paid;
  const step = paymentStep(paid.currency);
  if (term === 'trial') return 0;
  const all = period_end.getTime() - period_start.getTime();
  const left = Math.min(all, Math.max(0, period_end.getTime() - now.getTime()));
  return all > 0 ? Math.floor((paid_minor * left) / all / step) * step : 0;
}

/**
 * What a change does. More memory, a longer interval with the same memory, and a plan after a trial begin now, with a new
 * period, when something is left to pay after the credit; everything else begins with the next period and costs nothing now.
 * `wanted` was checked with `whyNotWanted`.
 */
export function planChange(paid: PaidPlan, wanted: WantedPlan, now: Date): PlanChange {
  const plan = wanted.plan as Plan;
  const term = wanted.interval as Interval;
  const ram_gb = ramGbOf(plan, wanted.ram_gb);
  const price_minor = priceOf(ram_gb, paid.currency, term);
  const same = { plan, ram_gb, term, price_minor };
  if (paid.term !== 'trial' && plan === paid.plan && ram_gb === paid.ram_gb && term === paid.term)
    return {
      ...{ ...same, kind: 'none', credit_minor: 0, due_minor: 0 },
      ...{ starts: paid.period_start, ends: paid.period_end },
    };
  const credit = creditOf(paid, now);
  const longer = paid.term !== 'trial' && intervals[term] > intervals[paid.term];
  const grows = paid.term === 'trial' || ram_gb > paid.ram_gb || (ram_gb === paid.ram_gb && longer);
  if (grows && price_minor > credit)
    return {
      ...{ ...same, kind: 'now', credit_minor: credit, due_minor: price_minor - credit },
      ...{ starts: now, ends: periodEnd(now, now, term) },
    };
  const starts = paid.period_end;
  return {
    ...{ ...same, kind: 'later', credit_minor: 0, due_minor: 0 },
    ...{ starts, ends: periodEnd(starts, starts, term) },
  };
}
