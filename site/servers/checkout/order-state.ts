import { sandboxCards } from '#db/billing/processors/sandbox-cards.ts';
import {
  type Currency,
  currencyOf,
  customGb,
  type Interval,
  isCurrency,
  isInterval,
  isPlan,
  isRegion,
  type Plan,
  priceOf,
  type Region,
  ramGbOf,
  type Term,
} from '#db/billing/rules.ts';

/** The state of an order: all of it is in the address, so every step can be left, reloaded and shared. */

export const steps = ['plan', 'region', 'payment', 'review'] as const;
export type Step = (typeof steps)[number];

export interface OrderState {
  step: Step;
  plan: Plan;
  /** Memory of a custom-size server, in GB. */
  gb: number;
  interval: Interval;
  region: Region | null;
  currency: Currency;
  /** The last four digits of a test card. */
  card: string | null;
}

/** The cards of the test processor as options, without their full numbers. */
export const cards = Object.entries(sandboxCards).map(([number, { brand, does }]) => ({
  number,
  brand,
  does,
  digits: number.slice(-4),
}));
export const cardOf = (digits: string | null) => cards.find((card) => card.digits === digits) ?? null;

/** The currency of the country in a language tag. */
const currencyFor = (locale: string): Currency => currencyOf(/-([A-Z]{2})$/.exec(locale)?.[1] ?? 'US');

/**
 * Parses a query; missing or unknown values get the most common choice, and steps cannot be skipped. Without `trials` a
 * trial counts as unknown.
 */
export function orderStateOf(query: URLSearchParams, locale: string, { trials = true } = {}): OrderState {
  const [plan, interval, region, currency] = ['plan', 'interval', 'region', 'currency'].map(
    (name) => query.get(name) ?? '',
  ) as [string, string, string, string];
  const { least, most, step } = customGb;
  const requested = Math.round(Number(query.get('gb') ?? 12) / step) * step;
  const choice: OrderState = {
    step: 'plan',
    plan: isPlan(plan) && (trials || plan !== 'trial') ? plan : 'medium',
    gb: Number.isFinite(requested) ? Math.min(most, Math.max(least, requested)) : 12,
    interval: isInterval(interval) ? interval : 'monthly',
    region: isRegion(region) ? region : null,
    currency: isCurrency(currency) ? currency : currencyFor(locale),
    card: cardOf(query.get('card'))?.digits ?? null,
  };
  const requested_query = steps.indexOf((query.get('step') ?? 'plan') as Step);
  choice.step = steps[Math.min(Math.max(requested_query, 0), last_open_step(choice))]!;
  return choice;
}

function last_open_step({ plan, region, card }: OrderState): number {
  if (!region) return 1;
  return plan === 'trial' || card ? 3 : 2;
}

/** The state as fields of an address or form, in a fixed order. */
export function fieldsOf(choice: OrderState, change: Partial<OrderState> = {}): Array<[string, string]> {
  const { step, plan, gb, interval, region, currency, card } = { ...choice, ...change };
  return [
    ['step', step],
    ['plan', plan],
    ...(plan === 'custom' ? ([['gb', String(gb)]] as Array<[string, string]>) : []),
    ['interval', interval],
    ...(region ? ([['region', region]] as Array<[string, string]>) : []),
    ['currency', currency],
    ...(card ? ([['card', card]] as Array<[string, string]>) : []),
  ];
}

/** The address of a state. */
export const addressOf = (choice: OrderState, change: Partial<OrderState> = {}): string =>
  `/servers/buy?${new URLSearchParams(fieldsOf(choice, change))}`;

/** The price of the order, in minor units, and its period. */
export function costOf({ plan, gb, interval, currency }: OrderState): {
  gb: number;
  term: Term;
  minor: number;
} {
  const memory = ramGbOf(plan, gb);
  if (plan === 'trial') return { gb: memory, term: 'trial', minor: 0 };
  return { gb: memory, term: interval, minor: priceOf(memory, currency, interval) };
}
