import type { MessageKey, Messages, Translate } from '#content/messages.ts';
import type { FeeRule, Limits, PayoutState, PayoutType } from '#db/money/payouts/rules.ts';
import type { TaxFormStatus } from '#db/money/payouts/tax/rules.ts';
import { dollars } from '../../hosting/checkout/price.ts';

/** How states, methods, fees and bounds of payouts are called. */
export const stateNames: Record<PayoutState, MessageKey> = {
  unknown: 'payouts.state_unknown',
  'in-transit': 'payouts.state_in_transit',
  cancelling: 'payouts.state_cancelling',
  success: 'payouts.state_success',
  cancelled: 'payouts.state_cancelled',
  failed: 'payouts.state_failed',
};
export const stateTones: Record<PayoutState, string> = {
  unknown: 'warn',
  'in-transit': 'warn',
  cancelling: 'warn',
  success: 'good',
  cancelled: '',
  failed: 'bad',
};
export const typeNames: Record<PayoutType, MessageKey> = {
  paypal: 'payouts.type_paypal',
  venmo: 'payouts.type_venmo',
  tremendous: 'payouts.type_tremendous',
  bank: 'payouts.type_bank',
};
/** How a method is called: a bank transfer by our own words, every other by its provider's. */
export const methodName = (t: Translate, { type, name }: { type: PayoutType; name: string }): string =>
  type === 'bank' ? t(typeNames.bank) : name;

export const addressNames: Record<PayoutType, MessageKey> = {
  paypal: 'payouts.address_paypal',
  venmo: 'payouts.address_venmo',
  tremendous: 'payouts.address_email',
  bank: 'payouts.address_iban',
};

/** Where somebody stands with the tax form, and why that keeps them from withdrawing. */
export const taxTexts: Record<
  TaxFormStatus,
  { title: MessageKey; text: MessageKey | null; why: MessageKey; tone: 'note' | 'good' | 'warn' | 'bad' }
> = {
  unknown: {
    ...{ title: 'payouts.tax_unknown', text: 'payouts.tax_unknown_text', why: 'payouts.why_tax_unknown' },
    tone: 'warn',
  },
  unrequested: { title: 'payouts.tax_unrequested', text: null, why: 'payouts.why_tax', tone: 'note' },
  unsigned: {
    ...{ title: 'payouts.tax_unsigned', text: 'payouts.tax_unsigned_text', why: 'payouts.why_tax' },
    tone: 'warn',
  },
  'tin-mismatch': {
    ...{ title: 'payouts.tax_mismatch', text: 'payouts.tax_mismatch_text', why: 'payouts.why_tax_mismatch' },
    tone: 'bad',
  },
  complete: { title: 'payouts.tax_done', text: null, why: 'payouts.why_tax', tone: 'good' },
};

const failures: Readonly<Record<string, MessageKey>> = {
  receiver_unknown: 'payouts.failure_receiver_unknown',
  receiver_refuses: 'payouts.failure_receiver_refuses',
  unclaimed: 'payouts.failure_unclaimed',
  gone: 'payouts.failure_gone',
  returned: 'payouts.failure_returned',
  trial: 'payouts.failure_trial',
};

/** Why a payout failed, in words. */
export const failureText = (t: Translate, failure: string | null): string =>
  t((failure !== null && failures[failure]) || 'payouts.failure_other');

/** The fee of a method in words: `2 %, at least $0.25, at most $1.00`. */
export function feeText(messages: Messages, { basis_points, min_minor, max_minor }: FeeRule): string {
  const { t } = messages;
  if (basis_points === 0) return t('payouts.fee_none');
  const values = {
    percent: new Intl.NumberFormat(messages.formatting, {
      style: 'percent',
      maximumFractionDigits: 2,
    }).format(basis_points / 10_000),
    least: dollars(messages, min_minor),
    most: dollars(messages, max_minor ?? 0),
  };
  if (max_minor === null) return t('payouts.fee_least', values);
  return min_minor === 0 ? t('payouts.fee_most', values) : t('payouts.fee_range', values);
}

/** The bounds of a method in words. */
export function limitText(messages: Messages, limits: Limits): string {
  const { t } = messages;
  if (!('values_minor' in limits))
    return t('payouts.limit_range', {
      least: dollars(messages, limits.min_minor),
      most: dollars(messages, limits.max_minor),
    });
  const { values_minor } = limits;
  const [least = 0, most = 0] = [Math.min(...values_minor), Math.max(...values_minor)];
  return t('payouts.limit_values', { least: dollars(messages, least), most: dollars(messages, most) });
}
