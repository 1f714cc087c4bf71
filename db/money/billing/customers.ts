import { Refused } from '../../platform/errors.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db, Pool } from '../../platform/postgres/sql.ts';
import type { GivenMethod, Method, Payments } from './payments.ts';
import { isExpired } from './rules.ts';

/**
 * The customer that a user is at the payment processor, opened when there is none; null for a processor without customers.
 * Two requests at once agree on the first: the other customer has nothing and is never used.
 */
export async function customerOf(
  sql: Pool,
  payments: Payments,
  user_id: string,
  now: Date,
): Promise<string | null> {
  if (!payments.openCustomer) return null;
  const processor = payments.name;
  const stored = () => sql<Array<{ reference: string }>>`
    select reference from payment_customers where user_id = ${user_id} and processor = ${processor}`;
  const [before] = await stored();
  if (before) return before.reference;
  const reference = await payments.openCustomer(user_id);
  await sql`insert into payment_customers ${sql({ user_id, processor, reference, created: now })} on conflict do nothing`;
  const [one] = await stored();
  return one?.reference ?? reference;
}

/** The payment method that a form named, or null without one. Refuses as `Payments.resolveMethod` and `storedMethod`. */
export async function methodOf(
  sql: Pool,
  payments: Payments,
  { user_id }: Actor,
  given: GivenMethod | null,
  now: Date,
): Promise<Method | null> {
  if (!given || !payments.enabled) return null;
  if ('stored' in given) return await storedMethod(sql, payments.name, user_id, given.stored, now);
  return await payments.resolveMethod(given, await customerOf(sql, payments, user_id, now), now);
}

/**
 * The client secret with which the actor's browser enters a payment method at the processor itself. Refuses `payments_off`
 * where that is not how methods come, `payments_unreachable`.
 */
export async function beginMethod(
  sql: Pool,
  payments: Payments,
  { user_id }: Actor,
  now: Date,
): Promise<{ client_secret: string }> {
  const customer = await customerOf(sql, payments, user_id, now);
  if (!payments.beginMethod || !customer) throw new Refused('payments_off');
  return { client_secret: await payments.beginMethod(customer) };
}

/** Customers of this processor whose account is gone and whom it is still to forget, those that wait for longest first. */
export async function forgottenCustomers(
  db: Pool,
  { name, forgetCustomer }: Pick<Payments, 'name' | 'forgetCustomer'>,
  limit: number,
): Promise<string[]> {
  if (!forgetCustomer) return [];
  const rows = await db<Array<{ reference: string }>>`
    select reference from forgotten_customers where processor = ${name} order by since, reference limit ${limit}`;
  return rows.map(({ reference }) => reference);
}

/** Notes that the processor has forgotten a customer. */
export const markForgotten = async (
  db: Pool,
  { name }: Pick<Payments, 'name'>,
  reference: string,
): Promise<void> => {
  await db`delete from forgotten_customers where processor = ${name} and reference = ${reference}`;
};

/** A payment method that its owner kept. Refuses `payment_method_not_found` and `card_expired`. */
async function storedMethod(
  db: Db,
  processor: string,
  user_id: string,
  id: string,
  now: Date,
): Promise<Method> {
  const [row] = await db<Method[]>`
    select reference, brand, last_four, expires_month, expires_year, fingerprint from payment_methods
    where id = ${id} and user_id = ${user_id} and processor = ${processor} and removed is null`;
  if (!row) throw new Refused('payment_method_not_found');
  if (isExpired(row, now)) throw new Refused('card_expired');
  return row;
}
