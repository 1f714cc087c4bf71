import type { Messages } from '#content/messages.ts';
import {
  type Currency,
  currencies,
  type Interval,
  intervals,
  priceOf,
  ramGbOf,
  type Term,
} from '#db/money/billing/rules.ts';
import type { OrderState } from './order-state.ts';

/**
 * An amount that is paid, earned or withdrawn, in minor units: whole, with the decimals of its currency, localized. The one
 * format of money; statistics alone are shortened (`text/money.ts`).
 */
export function price(
  { formatting }: Pick<Messages, 'formatting'>,
  minor: number,
  currency: Currency,
): string {
  const { digits } = currencies[currency];
  const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
  const whole = minor % 10 ** digits === 0;
  // some currencies have decimals that are no longer written
  const written = new Intl.NumberFormat(formatting, style).resolvedOptions().maximumFractionDigits ?? digits;
  const displayed = whole && written === 0 ? 0 : digits;
  const fraction = { minimumFractionDigits: displayed, maximumFractionDigits: displayed };
  const parts = new Intl.NumberFormat(formatting, { ...style, ...fraction }).formatToParts(
    minor / 10 ** digits,
  );
  // letters and sign of a symbol stay together, in the direction of its letters: `US$`, `ر.س.`
  const isMirrored = parts[0]?.value.startsWith('\u200f');
  return parts
    .map(({ type, value }) => (isMirrored && type === 'currency' ? `\u2068${value}\u2069` : value))
    .join('');
}

/** An amount of US dollars in cents, fractions allowed: what was earned is rounded down to whole cents. */
export const dollars = (messages: Pick<Messages, 'formatting'>, cents: number): string =>
  price(messages, Math.floor(cents), 'USD');

/** What an interval is called after a price, and how a price is followed by that of a month, with `{price}` and `{monthly}`. */
export interface PriceLabels {
  each: Record<Interval, string>;
  monthly: string;
}

interface Priced {
  gb: number;
  currency: Currency;
  interval: Interval;
}

/** What a server costs, in words: `$12.00 a month`, `$120.00 a year`. */
export function priceText(
  messages: Pick<Messages, 'formatting'>,
  { gb, currency, interval }: Priced,
  { each }: Pick<PriceLabels, 'each'>,
): string {
  const cost = priceOf(gb, currency, interval);
  return `${price(messages, cost, currency)} ${each[interval]}`;
}

/** The same with the share of one month: `$120.00 a year, $10.00 a month`. */
export function priceTextWithMonth(
  messages: Pick<Messages, 'formatting'>,
  priced: Priced,
  labels: PriceLabels,
): string {
  const { gb, currency, interval } = priced;
  const text = priceText(messages, priced, labels);
  if (interval === 'monthly') return text;
  const monthly = monthlyOf(priceOf(gb, currency, interval), interval);
  return labels.monthly.replace('{price}', text).replace('{monthly}', price(messages, monthly, currency));
}

/** The share of one month in the price of an interval, in minor units. */
export const monthlyOf = (minor: number, interval: Interval): number =>
  Math.round(minor / intervals[interval]);

/** The price of the order, in minor units, and its period. */
export function costOf({
  plan,
  gb,
  interval,
  currency,
}: Pick<OrderState, 'plan' | 'gb' | 'interval' | 'currency'>): {
  gb: number;
  term: Term;
  minor: number;
} {
  const memory = ramGbOf(plan, gb);
  if (plan === 'trial') return { gb: memory, term: 'trial', minor: 0 };
  return { gb: memory, term: interval, minor: priceOf(memory, currency, interval) };
}

/** An amount as it is typed into a field, such as `12.34`. */
export const minorText = (minor: number, currency: Currency): string => {
  const { digits } = currencies[currency];
  return (minor / 10 ** digits).toFixed(digits);
};

/** An amount of the ledger, whose currency may be one in which nothing is sold any more. */
export const ledgerAmount = (
  messages: Pick<Messages, 'formatting'>,
  minor: number,
  currency: string,
): string =>
  Object.hasOwn(currencies, currency) ? price(messages, minor, currency as Currency) : `${minor} ${currency}`;
