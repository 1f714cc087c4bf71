import { Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db, Pool } from '../../platform/postgres/sql.ts';
import { methodOf } from './customers.ts';
import type { GivenMethod, Payments } from './payments.ts';
import { upsertPaymentMethod } from './store-method.ts';
import type { MethodView } from './view.ts';

/** More than somebody can add: none that pays is left out, those from before there was a limit either. */
const max_listed = 1_000;

/**
 * The payment methods of a user at this processor, with what each pays for: the primary one first, then the newest, and
 * last those that were declined. Until one is chosen, the first one that pays for something is the primary one.
 */
export async function methodsOf(db: Db, user_id: string, processor: string): Promise<MethodView[]> {
  const methods = await methodRows(db, user_id, processor);
  if (methods.some(({ is_primary }) => is_primary)) return methods;
  const working = methods.filter(({ declined }) => !declined);
  const first = working.findLast(({ pays_for }) => pays_for.length > 0) ?? working.at(-1);
  if (!first) return methods;
  return [{ ...first, is_primary: true }, ...methods.filter((one) => one !== first)];
}

const methodRows = (db: Db, user_id: string, processor: string) => db<MethodView[]>`
  select m.id, m.brand, m.last_four, m.expires_month, m.expires_year, m.is_primary,
    coalesce((
      select jsonb_agg(jsonb_build_object('server_id', u.server_id, 'name', coalesce(s.name, o.name)) order by u.created)
      from subscriptions u left join orders o on o.id = u.order_id left join servers s on s.id = u.server_id
      where u.method_id = m.id and u.state <> 'ended'
    ), '[]') as pays_for,
    coalesce((
      select c.state = 'failed' from charges c
      where c.user_id = ${user_id} and c.method_id = m.id and c.state in ('succeeded', 'failed', 'refunded')
      order by c.created desc, c.id limit 1
    ), false) as declined
  from payment_methods m
  where m.user_id = ${user_id} and m.processor = ${processor} and m.removed is null
  order by m.is_primary desc, declined, m.created desc, m.id limit ${max_listed}`;

/**
 * Adds a payment method; the first one is the primary one. One that is there already stays one. Refuses
 * `payments_off`, `payment_methods_limit`, and as `Payments.resolveMethod` does.
 */
export async function addMethod(
  sql: Pool,
  payments: Payments,
  actor: Actor,
  given: GivenMethod | null,
  now: Date,
): Promise<void> {
  if (!payments.enabled) throw new Refused('payments_off');
  const method = await methodOf(sql, payments, actor, given, now);
  if (!method) throw new Refused('card_required');
  await sql.begin(async (tx) => {
    const id = await upsertPaymentMethod(tx, actor, payments.name, method, now);
    const others = await tx`
      select 1 from payment_methods
      where user_id = ${actor.user_id} and processor = ${payments.name} and removed is null and id <> ${id} limit 1`;
    if (others.length === 0) await tx`update payment_methods set is_primary = true where id = ${id}`;
    await record(tx, 'card.added', actor, id);
  });
}

/** Makes a method the primary one: it pays for every subscription from now on. Refuses `payment_method_not_found`. */
export async function makePrimary(tx: Db, processor: string, actor: Actor, id: string): Promise<void> {
  await lockMethods(tx, actor);
  await assertOwn(tx, processor, actor, id);
  const { user_id } = actor;
  await tx`update payment_methods set is_primary = false where user_id = ${user_id} and processor = ${processor} and is_primary`;
  await tx`update payment_methods set is_primary = true where id = ${id}`;
  await tx`update subscriptions set method_id = ${id}
    where user_id = ${user_id} and state <> 'ended' and term <> 'trial' and method_id is distinct from ${id}`;
  await record(tx, 'card.chosen', actor, id);
}

/**
 * Removes a method here and at its processor. Refuses `payment_method_not_found`, `payment_method_used` while it pays for
 * something, and `payments_unreachable`: then it stays.
 */
export async function removeMethod(
  sql: Pool,
  payments: Payments,
  actor: Actor,
  id: string,
  now: Date,
): Promise<void> {
  const { references, is_primary } = await sql.begin(async (tx) => {
    await lockMethods(tx, actor);
    const own = await assertOwn(tx, payments.name, actor, id);
    const used = await tx`select 1 from subscriptions where method_id = ${id} and state <> 'ended' limit 1`;
    if (used.length > 0) throw new Refused('payment_method_used');
    await tx`update payment_methods set removed = ${now}, is_primary = false where id = ${id}`;
    await record(tx, 'card.removed', actor, id);
    return own;
  });
  try {
    for (const reference of references) await payments.forgetMethod?.(reference);
  } catch (error) {
    // it is the primary one again, unless another one became that meanwhile
    await sql.begin(async (tx) => {
      await lockMethods(tx, actor);
      await tx`
        update payment_methods m set removed = null, is_primary = ${is_primary} and not exists (
          select 1 from payment_methods o where o.user_id = m.user_id and o.processor = m.processor and o.is_primary)
        where m.id = ${id}`;
    });
    throw error;
  }
}

/** Methods of one user change one after the other; orders lock the same row. */
const lockMethods = (tx: Db, { user_id }: Actor) =>
  tx`select 1 from users where id = ${user_id} for no key update`;

async function assertOwn(
  tx: Db,
  processor: string,
  { user_id }: Actor,
  id: string,
): Promise<{ references: string[]; is_primary: boolean }> {
  const [own] = await tx<Array<{ references: string[]; is_primary: boolean }>>`
    select superseded || reference as references, is_primary from payment_methods
    where id = ${id} and user_id = ${user_id} and processor = ${processor} and removed is null`;
  if (!own) throw new Refused('payment_method_not_found');
  return own;
}

const record = (
  tx: Db,
  name: 'card.added' | 'card.chosen' | 'card.removed',
  { user_id }: Actor,
  method_id: string,
) => recordEvent(tx, { name, actor_id: user_id, user_id, data: { method_id } });
