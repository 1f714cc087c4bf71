import { type RefundFacts, refundable } from './refunds/rules.ts';

/** A charge that was paid, and what of the period before it took over. */
export interface PeriodCharge extends RefundFacts {
  /** Of a change of plan: what the rest of the period before was worth. */
  credit_minor: number;
}

/**
 * How much of each charge pays for the current period and was not given back, in minor units. `charges` begin with the one
 * that began the period; those before it follow, the latest first. A change of plan is paid with what is left of the period
 * before it, too: that much of the charges before it pays for this one.
 */
export function sharesOf<C extends PeriodCharge>(charges: readonly C[]): Array<C & { share_minor: number }> {
  const shares: Array<C & { share_minor: number }> = [];
  let carried = Number.POSITIVE_INFINITY;
  for (const charge of charges) {
    shares.push({ ...charge, share_minor: Math.min(carried, refundable(charge)) });
    // what this charge was carries first, whatever was given back of it since
    carried = Math.min(carried - charge.amount_minor, charge.credit_minor);
    if (carried <= 0) break;
  }
  return shares;
}
