import type { Messages } from '#content/messages.ts';
import { type Currency, currencies } from '#db/billing/rules.ts';

/** An amount in minor units, localized; `round` omits decimals that are all zero. */
export function price(
  { formatting }: Pick<Messages, 'formatting'>,
  minor: number,
  currency: Currency,
  { round = false } = {},
): string {
  const { digits } = currencies[currency];
  const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
  const whole = minor % 10 ** digits === 0;
  // some currencies have decimals that are no longer written
  const written = new Intl.NumberFormat(formatting, style).resolvedOptions().maximumFractionDigits ?? digits;
  const displayed = whole && (round || written === 0) ? 0 : digits;
  const fraction = { minimumFractionDigits: displayed, maximumFractionDigits: displayed };
  return new Intl.NumberFormat(formatting, { ...style, ...fraction }).format(minor / 10 ** digits);
}
