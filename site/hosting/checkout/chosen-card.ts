import type { GivenMethod } from '#db/money/billing/payments.ts';
import { enteredMethod } from '#db/money/billing/processors/known.ts';
import { Refused } from '#db/platform/errors.ts';
import { another_card } from './another-card.ts';
import { savedIdOf } from './order-state.ts';

/**
 * The chosen card: a saved one, or one that was entered in the form of the processor; null for neither.
 * Refuses `card_required` for another card that was never entered: a saved one must not pay instead.
 */
export function chosenCard(named: string | undefined, now: Date): GivenMethod | null {
  if (named === another_card) throw new Refused('card_required');
  const stored = savedIdOf(named ?? null);
  return stored ? { stored } : (enteredMethod(named)?.method(now) ?? null);
}
