import type { Product } from './products.ts';

/** The rate moves between the page that offers an amount and the order: so much of a fixed amount may differ. */
const drift = 0.02;
/** Currencies without minor units that Tremendous pays in. By ISO 4217. */
const whole: ReadonlySet<string> = new Set(['CLP', 'ISK', 'JPY', 'KRW', 'PYG', 'UGX', 'VND', 'XAF', 'XOF']);

/**
 * What is ordered for minor units of dollars in the currency of a product, rounded down; of fixed amounts the one that was
 * meant. Null when the product does not take it.
 */
export function denominationOf(
  { skus }: Pick<Product, 'skus'>,
  amount_minor: number,
  currency: string,
  rate: number,
): number | null {
  if (currency === 'USD') return amount_minor / 100;
  const exact = (amount_minor * rate) / 100;
  const step = whole.has(currency) ? 1 : 100;
  // a hair more, because 1.1 * 100 is not 110
  const rounded = Math.floor(exact * step + 1e-6) / step;
  if (!skus?.length || skus.some(({ min, max }) => max > min && rounded >= min && rounded <= max))
    return rounded > 0 ? rounded : null;
  const nearest = skus
    .flatMap(({ min, max }) => [min, max])
    .reduce((best, one) => (Math.abs(one - exact) < Math.abs(best - exact) ? one : best), skus[0]!.min);
  return Math.abs(nearest - exact) <= exact * drift ? nearest : null;
}
