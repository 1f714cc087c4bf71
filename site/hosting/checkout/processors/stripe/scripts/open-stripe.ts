import type { Appearance, Stripe, StripeElementLocale } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';

/** A script that hangs counts as blocked after so long. */
const patience_ms = 20_000;

/**
 * Loads the script of Stripe, which must come from Stripe itself; null when it is blocked or does not arrive. No load
 * parameters: with them the library waits forever after a failure.
 */
export async function openStripe(key: string, locale: string): Promise<Stripe | null> {
  const hangs = new Promise<null>((give_up) => setTimeout(() => give_up(null), patience_ms));
  const loads = loadStripe(key, { locale: locale.slice(0, 2) as StripeElementLocale }).catch(() => null);
  return await Promise.race([loads, hangs]);
}

/** How the form of Stripe looks on this page: dark where the page is. */
export function darkAppearance(): Appearance {
  const [red = 255, green = 255, blue = 255] = (
    getComputedStyle(document.body).backgroundColor.match(/[\d.]+/g) ?? []
  ).map(Number);
  return { theme: red + green + blue < 384 ? 'night' : 'stripe' };
}
