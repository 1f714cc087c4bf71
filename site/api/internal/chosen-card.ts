import type { GivenMethod } from '#db/billing/payments.ts';
import { cardOf, isConfirmed } from '../../servers/checkout/order-state.ts';

/** The chosen test card, which never expires, or what was confirmed at the processor; null for neither. */
export function chosenCard(named: string | undefined, now: Date): GivenMethod | null {
  if (isConfirmed(named ?? null)) return { confirmed: named! };
  const card = cardOf(named ?? null);
  return card && { number: card.number, expires_month: 12, expires_year: now.getUTCFullYear() + 5 };
}
