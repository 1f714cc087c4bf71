import { currencies } from '#db/money/billing/data/currencies.ts';
import { plusPrices } from '#db/money/billing/data/plus-prices.ts';

const servers = currencies as Record<string, { gb_month: number }>;
const plus = plusPrices as Record<string, readonly number[]>;
const base = structuredClone({ servers, plus });
/** Prices of a gigabyte are even, and thousandths are settled in tens. */
const step = 20;

/** Raises or lowers all prices of this process, as a new version of the product would; creators' half keeps its dollars. */
export function setPrices(percent: number): void {
  const changed = (price: number) => Math.max(step, Math.round((price * percent) / 100 / step) * step);
  for (const [currency, { gb_month }] of Object.entries(base.servers))
    servers[currency]!.gb_month = percent === 100 ? gb_month : changed(gb_month);
  for (const [currency, prices] of Object.entries(base.plus))
    plus[currency] = percent === 100 || currency === 'USD' ? prices : prices.map(changed);
}
