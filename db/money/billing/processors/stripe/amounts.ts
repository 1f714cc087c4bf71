import type { Money } from '../../payments.ts';

/** Amounts as Stripe counts them. By docs.stripe.com/currencies. */

/** Without minor units by ISO 4217, which Stripe counts in hundredths that are always 00. */
const padded: ReadonlySet<string> = new Set(['ISK', 'UGX']);
/** With thousandths, of which Stripe takes whole tens only. */
const thousandths: ReadonlySet<string> = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND']);

/**
 * An amount in minor units (ISO 4217) as Stripe takes it, or null for one that it cannot charge. HUF and TWD have hundredths
 * in payments; Stripe rounds them in its payouts only.
 */
export function toStripe(amount_minor: number, currency: string): number | null {
  if (!Number.isSafeInteger(amount_minor) || amount_minor <= 0) return null;
  if (padded.has(currency)) return amount_minor * 100;
  return thousandths.has(currency) && amount_minor % 10 !== 0 ? null : amount_minor;
}

/** An amount of Stripe in minor units (ISO 4217). */
export const fromStripe = (amount: number, currency: string): number =>
  padded.has(currency.toUpperCase()) ? Math.round(amount / 100) : amount;

/** The same with its currency, which Stripe writes in small letters. */
export const moneyOf = (amount: number, currency: string): Money => ({
  amount_minor: fromStripe(amount, currency),
  currency: currency.toUpperCase(),
});
