import type { Actor } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { addressLines, type BillingAddress } from './billing-address.ts';

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
