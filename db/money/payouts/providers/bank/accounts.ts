import { countrySpecs, isValidBIC } from 'ibantools';
import { isIban } from '../../addresses.ts';

export type BankCurrency = 'EUR' | 'USD';

/** What one transfer may have. By EPC132-08 (SEPA credit transfer), 2.3.1 AT-T002. */
const max_transfer_minor = 99_999_999_999;

/** Whether a text is the code of a bank. By ISO 9362. */
export const isBic = (text: string): boolean => isValidBIC(text);

/** Whether people of a country can be paid: euros go to the countries of SEPA, dollars to all with IBANs. */
export function isReachable(country: string, currency: BankCurrency): boolean {
  const known = Object.hasOwn(countrySpecs, country) ? countrySpecs[country] : undefined;
  return currency === 'EUR' ? known?.SEPA === true : known?.IBANRegistry === true;
}

/** Whether an account can be paid in a currency. */
export const isPayable = (iban: string, currency: BankCurrency): boolean =>
  isIban(iban) && isReachable(iban.slice(0, 2), currency);

/** Whether a text is an exchange rate: at most four digits, a point and six more, and not zero. */
export const isRate = (text: string): boolean => /^(?=.*[1-9])\d{1,4}(\.\d{1,6})?$/.test(text);

/** Minor units of dollars in another currency by a rate, half up, exactly; null when nothing is left or it is too much. */
export function converted(amount_minor: number, rate: string): number | null {
  const [whole = '', rest = ''] = rate.split('.');
  const millionths = BigInt(whole + rest.padEnd(6, '0'));
  const minor = Number((BigInt(amount_minor) * millionths + 500_000n) / 1_000_000n);
  return minor > 0 && minor <= max_transfer_minor ? minor : null;
}
