import type { Messages, Translate } from '#content/messages.ts';
import { plusPriceOf } from '#db/money/billing/plus/rules.ts';
import type { Currency, Interval } from '#db/money/billing/rules.ts';
import { eachNames } from '../../hosting/checkout/labels.ts';
import { monthlyOf, price } from '../../hosting/checkout/price.ts';

/** What an interval of Plus costs, and the share of one month in it where it is longer. */
export interface PlusPrice {
  sum: string;
  monthly: string | null;
}

/** The price of Plus, localized. */
export function plusPrice(
  messages: Pick<Messages, 'formatting'>,
  currency: Currency,
  interval: Interval,
): PlusPrice {
  const minor = plusPriceOf(currency, interval);
  const money = (amount: number) => price(messages, amount, currency);
  return {
    sum: money(minor),
    monthly: interval === 'monthly' ? null : money(monthlyOf(minor, interval)),
  };
}

/** The same in words: `$4.99 a month`, `$49.99 a year, $4.17 a month`. */
export function plusPriceText(
  t: Translate,
  messages: Pick<Messages, 'formatting'>,
  currency: Currency,
  interval: Interval,
): string {
  const { sum, monthly } = plusPrice(messages, currency, interval);
  const text = `${sum} ${t(eachNames[interval])}`;
  return monthly === null ? text : t('buying.price_and_monthly', { price: text, monthly });
}
