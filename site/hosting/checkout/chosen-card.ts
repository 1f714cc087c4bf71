import type { GivenMethod } from '#db/money/billing/payments.ts';
import { Refused } from '#db/platform/errors.ts';
import { another_card } from './another-card.ts';
import { cardOf, isConfirmed, savedIdOf } from './order-state.ts';

/**
 * The chosen test card, which never expires, a saved card, or what was confirmed at the processor; null for none of these.
 * Refuses `card_required` for another card that was never entered: a saved one must not pay instead.
 */
export function chosenCard(named: string | undefined, now: Date): GivenMethod | null {
  if (named === another_card) throw new Refused('card_required');
  if (isConfirmed(named ?? null)) return { confirmed: named! };
  const stored = savedIdOf(named ?? null);
  if (stored) return { stored };
  const card = cardOf(named ?? null);
  return card && { number: card.number, expires_month: 12, expires_year: now.getUTCFullYear() + 5 };
}
