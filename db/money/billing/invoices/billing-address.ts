import type { Db } from '../../../platform/postgres/sql.ts';

/** Whom the invoices of a payer are made out to; each part is '' where it is not given. */
export interface BillingAddress {
  /** Of a person or a company. */
  name: string;
  /** Its lines, with `\n` between them. */
  address: string;
  /** VAT number. */
  tax_id: string;
}

export const billingAddressLimits = { name: 100, address: 500, lines: 6, tax_id: 30 } as const;

/** The lines of an address without blanks around them, without empty ones. */
export const addressLines = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** What a payer wants on their invoices, or null. */
export async function billingAddressOf(db: Db, user_id: string): Promise<BillingAddress | null> {
  const [row] = await db<BillingAddress[]>`
    select name, address, tax_id from billing_addresses where user_id = ${user_id}`;
  return row ?? null;
}
