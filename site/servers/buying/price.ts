import type { Messages } from '#content/messages.ts';
import { type Currency, currencies } from '#db/billing/rules.ts';

/** An amount in minor units as people of a language write it; `round` leaves decimals out that are all zero. */
export function price(
  { formatting }: Pick<Messages, 'formatting'>,
  minor: number,
  currency: Currency,
  { round = false } = {},
): string {
  const { digits } = currencies[currency];
  const shown = round && minor % 10 ** digits === 0 ? 0 : digits;
  return new Intl.NumberFormat(formatting, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: shown,
    maximumFractionDigits: shown,
  }).format(minor / 10 ** digits);
}
