import type { RefusalCode } from '../../../platform/errors.ts';
import { type Actor, isAdmin, isModerator } from '../../../platform/people/rules.ts';
import { type Currency, paymentStep } from '../rules.ts';

/** Refunds by staff. Source: screens §A.8 (admin billing). */

/** The longest reason that staff give for a refund or a credit. */
export const maxReason = 500;

/** What somebody pays and paid, and the notes about it: for staff. Source: specification §6. */
export const whyNotSeeBilling = (viewer: Actor | null): RefusalCode | null =>
  isModerator(viewer) ? null : 'moderators_only';

/** Refunds, days, services, notes and the ledger: for administrators. */
export const whyNotManageBilling = (viewer: Actor | null): RefusalCode | null =>
  isAdmin(viewer) ? null : 'admins_only';

export interface RefundFacts {
  state: string;
  dispute: 'open' | 'won' | 'lost' | null;
  amount_minor: number;
  /** What staff gave back of it so far. */
  given_minor: number;
  currency: Currency;
}

/** What can still be given back of a charge, in minor units. */
export const refundable = ({ state, dispute, amount_minor, given_minor }: RefundFacts): number =>
  state === 'succeeded' && dispute !== 'open' && dispute !== 'lost' ? amount_minor - given_minor : 0;

/**
 * Why `amount_minor` of a charge cannot be given back, or null. `seen_minor` is what had been given back of it when somebody
 * decided so: two who decide at once give it back once.
 */
export function whyNotRefund(
  charge: RefundFacts,
  amount_minor: number,
  seen_minor: number,
): RefusalCode | null {
  if (charge.dispute === 'open' || charge.dispute === 'lost') return 'refund_disputed';
  if (charge.state !== 'succeeded') return 'refund_unpaid';
  if (seen_minor !== charge.given_minor) return 'refund_meanwhile';
  const step = paymentStep(charge.currency);
  if (!Number.isSafeInteger(amount_minor) || amount_minor <= 0 || amount_minor % step !== 0)
    return 'refund_amount';
  return amount_minor > refundable(charge) ? 'refund_too_much' : null;
}
