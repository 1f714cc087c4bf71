import { customGb, intervals, isInterval, isPlan, ramGbOf } from '#db/money/billing/rules.ts';
import { soldSizes } from './plan-sizes.ts';

/** A plan with its memory, as one value of a form: `small`, `custom:10`. */
export interface PlanChoice {
  plan: string;
  ram_gb: number | null;
}

/** Reads the value of a choice; what is not one is refused later as an unknown plan. */
export function planChoiceOf(value: string): PlanChoice {
  const [plan = '', gb] = value.split(':', 2);
  return { plan, ram_gb: gb === undefined ? null : Number(gb) };
}

/** The choice that an address asks to work out, `?plan=custom&gb=10&interval=monthly`, or null. */
export function wantedOf(
  query: URLSearchParams,
): (PlanChoice & { interval: string; value: string; gb: number }) | null {
  const plan = query.get('plan') ?? '';
  const interval = query.get('interval') ?? '';
  if (!isPlan(plan) || plan === 'trial' || !isInterval(interval)) return null;
  const gb = ramGbOf(plan, Number(query.get('gb') ?? customGb.least));
  if (!soldSizes.includes(gb)) return null;
  const value = plan === 'custom' ? `custom:${gb}` : plan;
  return { ...planChoiceOf(value), interval, value, gb };
}

/** Billing intervals, shortest first. */
export const intervalChoices = Object.keys(intervals) as (keyof typeof intervals)[];
