import { enteredMethod } from '#db/money/billing/processors/known.ts';
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
  type Region,
  standardPlans,
} from '#db/money/billing/rules.ts';
import type { OrderView } from '#db/money/billing/view.ts';

/** The state of an order: all of it is in the address, so every step can be left, reloaded and shared. */

const steps = ['plan', 'region', 'payment', 'review'] as const;
export type Step = (typeof steps)[number];

/** The steps of an order; a trial has nothing to pay. */
export const stepsOf = ({ plan }: Pick<OrderState, 'plan'>): readonly Step[] =>
  plan === 'trial' ? steps.filter((step) => step !== 'payment') : steps;

/** The step after that of an order; the last one follows itself. */
export const nextStep = (choice: OrderState): Step =>
  stepsOf(choice)[stepsOf(choice).indexOf(choice.step) + 1] ?? 'review';

export interface OrderState {
  step: Step;
  plan: Plan;
  /** Memory of a custom-size server, in GB. */
  gb: number;
  interval: Interval;
  region: Region | null;
  currency: Currency;
  /** What was entered in the form of the processor, as that names it, or a saved card (`saved-<id>`). */
  card: string | null;
  /** What the new server is for: its game version and loader, and the project that is installed on it when it is ready. */
  preset: Readonly<Partial<Record<PresetName, string>>>;
}

const presetNames = ['game_version', 'loader', 'content', 'content_version', 'pack'] as const;
type PresetName = (typeof presetNames)[number];
/** Versions, loaders and ids alike. */
const preset_value = /^[\w.+-]{1,64}$/;

/** What a query says of the new server; values that cannot be any are left out. */
export function presetOf(query: URLSearchParams): OrderState['preset'] {
  const given = presetNames.map((name) => [name, query.get(name) ?? ''] as const);
  return Object.fromEntries(given.filter(([, value]) => preset_value.test(value)));
}

/** The id of a saved payment method that a field names; null for a text that names none. */
export const savedIdOf = (text: string | null): string | null =>
  /^saved-([0-9A-Za-z]{1,11})$/.exec(text ?? '')?.[1] ?? null;

/** The currency of the country in a language tag. */
export const currencyFor = (locale: string): Currency => currencyOf(/-([A-Z]{2})$/.exec(locale)?.[1] ?? 'US');

/**
 * Parses a query; missing or unknown values get the most common choice, and steps cannot be skipped. Without `trials` a
 * trial counts as unknown; `offered` are the sizes that can be had, in GB. `saved` are the values of the buyer's saved cards: another one counts as no card.
 */
export function orderStateOf(
  query: URLSearchParams,
  locale: string,
  {
    trials = true,
    saved,
    offered,
  }: { trials?: boolean; saved?: readonly string[]; offered?: readonly number[] } = {},
): OrderState {
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
    card: cardIn(query.get('card'), saved),
    preset: presetOf(query),
  };
  if (offered && !query.has('plan')) choice.plan = defaultPlan(offered);
  choice.step = earliest(requestedStep(query), lastOpenStep(choice));
  if (choice.step === 'payment' && choice.plan === 'trial') choice.step = 'review';
  return choice;
}

/** The plan of an order that names none: the most common one, or a smaller one where no machine has room for it. */
const defaultPlan = (offered: readonly number[]): Plan =>
  (['medium', 'small'] as const).find((plan) => offered.includes(standardPlans[plan].gb)) ?? 'medium';

function cardIn(text: string | null, saved: readonly string[] | undefined): string | null {
  if (savedIdOf(text)) return saved?.includes(text!) === false ? null : text;
  return enteredMethod(text) ? text : null;
}

/** The step that an address asks for, whether it is open or not. */
export const requestedStep = (query: URLSearchParams): Step =>
  steps.find((step) => step === query.get('step')) ?? 'plan';

const earliest = (one: Step, other: Step): Step => steps[Math.min(steps.indexOf(one), steps.indexOf(other))]!;

function lastOpenStep({ plan, region, card }: OrderState): Step {
  if (!region) return 'region';
  return plan === 'trial' || card ? 'review' : 'payment';
}

/** The state as fields of an address or form, in a fixed order. */
export function fieldsOf(choice: OrderState, change: Partial<OrderState> = {}): Array<[string, string]> {
  const { step, plan, gb, interval, region, currency, card, preset } = { ...choice, ...change };
  return [
    ['step', step],
    ['plan', plan],
    ...(plan === 'custom' ? ([['gb', String(gb)]] as Array<[string, string]>) : []),
    ['interval', interval],
    ...(region ? ([['region', region]] as Array<[string, string]>) : []),
    ['currency', currency],
    ...(card ? ([['card', card]] as Array<[string, string]>) : []),
    ...Object.entries(preset),
  ];
}

/** The address of a state. */
export const addressOf = (choice: OrderState, change: Partial<OrderState> = {}): string =>
  `/servers/buy?${new URLSearchParams(fieldsOf(choice, change))}`;

/** Where an order ends: the panel of the new server, which offers to install what the order was for. */
export function panelOfOrder(
  server_id: string,
  { content, content_version, pack }: OrderState['preset'],
): string {
  if (!content) return `/servers/manage/${server_id}`;
  const query = new URLSearchParams({
    install: content,
    ...(content_version && { version: content_version }),
    ...(pack && { pack }),
  });
  return `/servers/manage/${server_id}?${query}`;
}

/** Where the same server is ordered once more, with another card. */
export function addressOfOrder(order: OrderView): string {
  const { plan, ram_mb, term, region, currency, name, game_version, loader } = order;
  const choice = {
    plan,
    gb: ram_mb / 1024,
    interval: term === 'trial' ? 'monthly' : term,
    region,
    currency,
    preset: { game_version, ...(loader && { loader }) },
  } as const;
  const typed = new URLSearchParams({ name });
  return `${addressOf({ ...choice, step: plan === 'trial' ? 'review' : 'payment', card: null })}&${typed}`;
}
