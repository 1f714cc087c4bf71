import { customGb, intervals, isInterval, type Plan, ramGbOf, standardPlans } from '#db/billing/rules.ts';

/** A plan with its memory, as one value of a form: `small`, `custom:10`. */
export interface PlanChoice {
  plan: string;
  ram_gb: number | null;
}

/** Every plan that is sold, smallest first. */
export const planChoices: readonly { value: string; plan: Plan; gb: number }[] = [
  ...(Object.keys(standardPlans) as Array<keyof typeof standardPlans>).map((plan) => ({
    ...{ value: plan, plan, gb: ramGbOf(plan, null) },
  })),
  ...Array.from({ length: (customGb.most - customGb.least) / customGb.step + 1 }, (_, at) => {
    const gb = customGb.least + at * customGb.step;
    return { value: `custom:${gb}`, plan: 'custom' as const, gb };
  }),
].sort((one, other) => one.gb - other.gb || one.value.length - other.value.length);

/** Reads the value of a choice; what is not one is refused later as an unknown plan. */
export function planChoiceOf(value: string): PlanChoice {
  const [plan = '', gb] = value.split(':', 2);
  return { plan, ram_gb: gb === undefined ? null : Number(gb) };
}

/** The choice that an address asks to work out, `?plan=large&interval=monthly`, or null. */
export function wantedOf(query: URLSearchParams): (PlanChoice & { interval: string; value: string }) | null {
  const value = query.get('plan');
  const interval = query.get('interval') ?? '';
  if (!planChoices.some((one) => one.value === value) || !isInterval(interval)) return null;
  return { ...planChoiceOf(value!), interval, value: value! };
}

/** Billing intervals, shortest first. */
export const intervalChoices = Object.keys(intervals) as (keyof typeof intervals)[];
