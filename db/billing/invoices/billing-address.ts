import type { Actor } from '../../people/rules.ts';
import type { Db } from '../../sql.ts';

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

/** Keeps what invoices say from now on; nothing is kept of an empty address. The caller checks `billingAddressLimits`. */
export async function setBillingAddress(tx: Db, actor: Actor, given: BillingAddress): Promise<void> {
  const { user_id } = actor;
  const [name, tax_id] = [given.name.trim(), given.tax_id.trim()];
  const address = addressLines(given.address).join('\n');
  if (name === '' && address === '' && tax_id === '')
    await tx`delete from billing_addresses where user_id = ${user_id}`;
  else
    await tx`
      insert into billing_addresses ${tx({ user_id, name, address, tax_id })}
      on conflict (user_id) do update set name = excluded.name, address = excluded.address, tax_id = excluded.tax_id`;
}
