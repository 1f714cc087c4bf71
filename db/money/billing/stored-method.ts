import { Refused } from '../../platform/errors.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { Method } from './payments.ts';
import { isExpired } from './rules.ts';

/** A payment method that its owner kept. Refuses `payment_method_not_found` and `card_expired`. */
export async function storedMethod(
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
