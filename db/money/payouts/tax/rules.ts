import type { RefusalCode } from '../../../platform/errors.ts';
import { countries } from '../data/countries.ts';

/** Which form: people of the US, people elsewhere, organizations elsewhere. Source: api-v3 §3.12. */
export const taxFormTypes = ['W-9', 'W-8BEN', 'W-8BEN-E'] as const;
export type TaxFormType = (typeof taxFormTypes)[number];

/**
 * Where somebody stands with the form: nobody can say now (`unknown`), it was never asked for, it is not signed or no longer
 * valid, the tax number is not that of the name (`tin-mismatch`), it is complete. Source: api-v3 §3.12 (`form_completion_status`).
 */
export const taxFormStatuses = ['unknown', 'unrequested', 'unsigned', 'tin-mismatch', 'complete'] as const;
export type TaxFormStatus = (typeof taxFormStatuses)[number];

/** Why somebody who stands so gets no more than the threshold of a year. */
export const taxRefusals: Readonly<Record<Exclude<TaxFormStatus, 'complete'>, RefusalCode>> = {
  unknown: 'tax_form_unknown',
  unrequested: 'tax_form_required',
  unsigned: 'tax_form_required',
  'tin-mismatch': 'tax_number_mismatch',
};

const threshold_dollars = 600;

/** The first year that clients are told about. */
const first_year = 2025;

/** From how many US dollars a year a tax form is needed before more is paid out: the same in every year. Source: specification §9. */
export const taxThreshold = (_year: number): number => threshold_dollars;

/** The thresholds by year until the current one, as clients get them. Source: api-v3 §7 (globals). */
export const taxThresholds = (now: Date): Record<string, number> =>
  Object.fromEntries(
    Array.from({ length: Math.max(now.getUTCFullYear(), first_year) - first_year + 1 }, (_, index) => [
      String(first_year + index),
      taxThreshold(first_year + index),
    ]),
  );

/** What somebody states and signs. */
export interface TaxStatement {
  name: string;
  country: string;
  address: string;
  city: string;
  /** Of the US, for a W-9; empty elsewhere. */
  state: string;
  postal_code: string;
  /** Of the US for a W-9, else of the country; may be empty there. */
  tax_number: string;
  /** The name again, typed by whoever signs. */
  signature: string;
  certified: boolean;
}

/** What is wrong with a statement, by field. */
export function whyNotStatement(
  type: TaxFormType,
  given: TaxStatement,
): { code: RefusalCode; field: keyof TaxStatement } | null {
  for (const field of ['name', 'address', 'city', 'signature'] as const)
    if (given[field].trim() === '') return { code: 'tax_field_missing', field };
  if (!countries.includes(given.country)) return { code: 'country_unknown', field: 'country' };
  if ((type === 'W-9') !== (given.country === 'US')) return { code: 'tax_country', field: 'country' };
  if (type === 'W-9' && given.state.trim() === '') return { code: 'tax_field_missing', field: 'state' };
  if (type === 'W-9' && !/^\d{9}$/.test(given.tax_number.replace(/[\s-]/g, '')))
    return { code: 'tax_number_malformed', field: 'tax_number' };
  if (folded(given.signature) !== folded(given.name) && type !== 'W-8BEN-E')
    return { code: 'tax_signature', field: 'signature' };
  return given.certified ? null : { code: 'tax_uncertified', field: 'certified' };
}

const folded = (text: string): string => text.trim().replace(/\s+/g, ' ').toLowerCase();

/** Whether a form still counts: those of people outside the US until the end of the third year after the signature. */
export function isTaxFormValid(type: TaxFormType, signed: Date | null, now: Date): boolean {
  if (signed === null) return false;
  return type === 'W-9' || now.getUTCFullYear() <= signed.getUTCFullYear() + 3;
}
