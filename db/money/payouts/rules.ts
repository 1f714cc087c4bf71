import type { RefusalCode } from '../../platform/errors.ts';
import { countries } from './data/countries.ts';
import { type TaxFormStatus, taxRefusals } from './tax/rules.ts';

/** States of a payout: the first three are open, the others final. Source: api-v3 §3.12. */
export const payoutStates = [
  'unknown',
  'in-transit',
  'cancelling',
  'success',
  'cancelled',
  'failed',
] as const;
export type PayoutState = (typeof payoutStates)[number];

export const payoutTypes = ['paypal', 'venmo', 'tremendous', 'bank'] as const;
export type PayoutType = (typeof payoutTypes)[number];

/** What the rules need to know of a method (`PayoutMethod`). */
export interface RuledMethod {
  type: PayoutType;
  category: 'paypal' | 'bank' | 'gift_card' | 'prepaid' | 'charity' | 'other';
  interval: { min_minor: number; max_minor: number } | { values_minor: readonly number[] };
}

/** A fee: hundredths of a percent, at least and at most so many minor units. */
export interface FeeRule {
  basis_points: number;
  min_minor: number;
  max_minor: number | null;
}

/** What can be withdrawn by a method, in minor units and the fee included: a range, or some amounts. */
export type Limits = { min_minor: number; max_minor: number } | { values_minor: readonly number[] };

/** Below this nothing can be withdrawn at all. Source: screens §A.6 (Revenue). */
export const minWithdrawal = 1;

/** Days in transit after which a payout fails. Source: screens §A.6 (Transfers). */
export const maxTransitDays = 30;

const no_fee: FeeRule = { basis_points: 0, min_minor: 0, max_minor: 0 };
const bank_fee: FeeRule = { basis_points: 400, min_minor: 25, max_minor: null };
const near_fee: FeeRule = { basis_points: 200, min_minor: 25, max_minor: 100 };
const far_fee: FeeRule = { basis_points: 200, min_minor: 0, max_minor: 2_000 };

const isPaypal = ({ type, category }: RuledMethod): boolean =>
  type === 'paypal' || type === 'venmo' || category === 'paypal';

/**
 * The fee of a method in a country: bank transfer 4 %, at least $0.25; PayPal in the US and Venmo 2 %, from $0.25 to $1;
 * PayPal elsewhere 2 %, at most $20; gift cards and prepaid cards nothing. Source: screens §A.6 (Withdraw).
 */
export function feeRuleOf(method: RuledMethod, country: string): FeeRule {
  if (method.type === 'bank' || method.category === 'bank') return bank_fee;
  if (!isPaypal(method)) return no_fee;
  return method.type === 'venmo' || country === 'US' ? near_fee : far_fee;
}

/** The fee of an amount in minor units, rounded up to whole ones. */
export const feeOf = ({ basis_points, min_minor, max_minor }: FeeRule, amount_minor: number): number =>
  Math.min(
    Math.max(Math.ceil((amount_minor * basis_points) / 10_000), min_minor),
    max_minor ?? Number.MAX_SAFE_INTEGER,
  );

/** The least amount, the fee included, of which `net_minor` arrive; all in minor units. */
export function grossOf(rule: FeeRule, net_minor: number): number {
  let gross_minor = net_minor;
  for (;;) {
    const next_minor = net_minor + feeOf(rule, gross_minor);
    if (next_minor === gross_minor) return gross_minor;
    gross_minor = next_minor;
  }
}

/**
 * What leaves the balance by a method, the fee included. A method's own bounds are those of what arrives, so the fee is put
 * on them. Amounts of PayPal and Venmo go from $0.25 to $100,000, others without a price list up to $5,000. Source: screens
 * §A.6 (Withdraw).
 */
export function limitsOf(method: RuledMethod, country: string): Limits {
  const { interval } = method;
  const rule = feeRuleOf(method, country);
  if ('values_minor' in interval)
    return { values_minor: interval.values_minor.map((net_minor) => grossOf(rule, net_minor)) };
  const [least, most] = isPaypal(method) ? [25, 10_000_000] : [minWithdrawal, 500_000];
  return {
    min_minor: Math.max(least, grossOf(rule, Math.max(interval.min_minor, 1))),
    // a cent more than this would bring a cent too much
    max_minor: Math.min(most, grossOf(rule, interval.max_minor + 1) - 1),
  };
}

/** Whether there is any amount within limits: a method may take less than may be withdrawn, or more. */
export const hasAmounts = (limits: Limits): boolean =>
  'values_minor' in limits ? limits.values_minor.length > 0 : limits.min_minor <= limits.max_minor;

/** Why an amount, the fee included, cannot be withdrawn by a method; what is there is checked apart. */
export function whyNotAmount(method: RuledMethod, country: string, amount_minor: number): RefusalCode | null {
  if (!Number.isSafeInteger(amount_minor) || amount_minor < minWithdrawal) return 'payout_amount';
  const limits = limitsOf(method, country);
  if ('values_minor' in limits)
    return limits.values_minor.includes(amount_minor) ? null : 'payout_amount_listed';
  if (amount_minor >= limits.min_minor && amount_minor <= limits.max_minor) return null;
  return feeOf(feeRuleOf(method, country), amount_minor) >= amount_minor
    ? 'payout_below_fee'
    : 'payout_amount_range';
}

/** What a withdrawal is measured by, besides its amount. */
export interface WithdrawalFacts {
  email_verified: boolean;
  available_minor: number;
  /** Withdrawn since the year began, without what came back. */
  withdrawn_year_minor: number;
  tax_status: TaxFormStatus;
  /** From how much a year, in minor units, a tax form is needed. */
  threshold_minor: number;
}

/** Why a person may not withdraw this amount: all reasons at once, the first to be cleared first. */
export function reasonsAgainst(facts: WithdrawalFacts, amount_minor: number): RefusalCode[] {
  const reasons: RefusalCode[] = [];
  if (!facts.email_verified) reasons.push('payout_email_unverified');
  if (facts.tax_status !== 'complete' && needsTaxForm(facts, amount_minor))
    reasons.push(taxRefusals[facts.tax_status]);
  if (facts.available_minor < Math.max(amount_minor, minWithdrawal)) reasons.push('payout_insufficient');
  return reasons;
}

/** Whether this amount takes somebody over the sum of a year that needs a tax form. Source: specification §9. */
export const needsTaxForm = (
  { tax_status, withdrawn_year_minor, threshold_minor }: WithdrawalFacts,
  amount_minor: number,
): boolean => tax_status !== 'complete' && withdrawn_year_minor + amount_minor > threshold_minor;

export const isCountry = (code: string): boolean => countries.includes(code);

/** The states of payouts that are not over. */
export const openPayoutStates: readonly PayoutState[] = ['unknown', 'in-transit', 'cancelling'];

export const isOpen = (state: PayoutState): boolean => openPayoutStates.includes(state);

/** What becomes of a payout by what its provider says; null when it stays as it is. */
export function nextState(
  state: PayoutState,
  outcome: 'in-transit' | 'success' | 'cancelled' | 'failed',
  is_known: boolean,
): PayoutState | null {
  if (isOpen(state)) {
    if (outcome !== 'in-transit') return outcome;
    return state === 'unknown' && is_known ? 'in-transit' : null;
  }
  // the money arrived and was sent back: nothing else changes what is final
  return state === 'success' && (outcome === 'failed' || outcome === 'cancelled') ? 'failed' : null;
}
