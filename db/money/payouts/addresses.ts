import { isValidIBAN } from 'ibantools';
import type { RefusalCode } from '../../platform/errors.ts';
import { whyNotEmail } from '../../platform/people/rules.ts';
import type { PayoutType } from './rules.ts';

/** Whether an account number is right: length and form of its country, check digits. By ISO 13616. */
export const isIban = (text: string): boolean => isValidIBAN(text);

/** Why a method cannot pay to this address: an e-mail address, a handle of Venmo, or an IBAN. */
export function whyNotAddress(type: PayoutType, address: string): RefusalCode | null {
  if (type === 'venmo') return /^@[\w-]{1,39}$/.test(address) ? null : 'venmo_handle_malformed';
  if (type === 'bank') return isIban(address) ? null : 'iban_malformed';
  return whyNotEmail(address) === null ? null : 'payout_email_malformed';
}

/** An address as it is kept: without spaces, an IBAN in capitals, a handle with its sign. */
export function addressOf(type: PayoutType, typed: string): string {
  const bare = typed.replace(/\s+/g, '');
  if (type === 'bank') return bare.toUpperCase();
  return type === 'venmo' && bare !== '' && !bare.startsWith('@') ? `@${bare}` : bare;
}
