import type { Appearance, Stripe, StripeElementLocale } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';

/** Loads the script of Stripe, which must come from Stripe itself; null when it is blocked or does not arrive. */
export async function openStripe(key: string, locale: string): Promise<Stripe | null> {
  // pages without a card are nobody's business: it watches only the one that asks for it
  loadStripe.setLoadParameters({ advancedFraudSignals: false });
  try {
    return await loadStripe(key, { locale: locale.slice(0, 2) as StripeElementLocale });
  } catch {
    return null;
  }
}

/** How the form of Stripe looks on this page: dark where the page is. */
export function darkAppearance(): Appearance {
  const [red = 255, green = 255, blue = 255] = (
    getComputedStyle(document.body).backgroundColor.match(/[\d.]+/g) ?? []
  ).map(Number);
  return { theme: red + green + blue < 384 ? 'night' : 'stripe' };
}
