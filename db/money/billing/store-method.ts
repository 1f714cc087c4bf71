import { Refused } from '../../platform/errors.ts';
import { newId } from '../../platform/id.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { Method } from './payments.ts';
import { maxMethods } from './rules.ts';
import { assertMayAddCard } from './tries.ts';

/**
 * Stores what may be displayed of a card, and gives its id. The same card of a user is one method: one that is entered again
 * gets the new reference, which was confirmed last, and pays for what it paid for before. Refuses `payment_methods_limit`
 * for one more than `maxMethods`: none that pays would be out of its owner's sight; and as `assertMayAddCard`.
 */
export async function upsertPaymentMethod(
  tx: Db,
  { user_id }: Actor,
  processor: string,
  method: Method,
  now: Date,
): Promise<string> {
  // methods of one user change one after the other; orders lock the same row
  await tx`select 1 from users where id = ${user_id} for no key update`;
  const { reference, expires_month, expires_year, fingerprint, brand, last_four } = method;
  const [before] = await tx<Array<{ id: string; removed: string | null }>>`
    select id, removed from payment_methods where user_id = ${user_id} and processor = ${processor}
      and (fingerprint = ${fingerprint}
        or (reference = ${reference} and expires_month = ${expires_month} and expires_year = ${expires_year}))
    order by reference = ${reference} desc, removed nulls first, created, id limit 1`;
  if (!before || before.removed !== null) await assertRoom(tx, user_id, processor);
  if (!before) {
    await assertMayAddCard(tx, { user_id, processor, fingerprint }, now);
    const id = newId();
    await tx`insert into payment_methods ${tx({ id, user_id, processor, ...method, created: now })}`;
    return id;
  }
  await tx`
    update payment_methods set brand = ${brand}, last_four = ${last_four}, expires_month = ${expires_month},
      expires_year = ${expires_year}, fingerprint = coalesce(${fingerprint}, fingerprint), removed = null,
      superseded = array_remove(case when reference = ${reference} or removed is not null then superseded
        else superseded || reference end, ${reference}), reference = ${reference}
    where id = ${before.id}`;
  return before.id;
}

async function assertRoom(tx: Db, user_id: string, processor: string): Promise<void> {
  const [count] = await tx<[{ all: number }]>`
    select count(*)::int as all from payment_methods
    where user_id = ${user_id} and processor = ${processor} and removed is null`;
  if (count.all >= maxMethods) throw new Refused('payment_methods_limit', { most: maxMethods });
}
