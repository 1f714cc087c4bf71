import { assertAllowed, Refused } from '../../errors.ts';
import { type Actor, isAdmin } from '../../people/rules.ts';
import type { Db } from '../../sql.ts';
import { whyNotSeeBilling } from '../refunds/rules.ts';
import type { Currency, SubscriptionState, Term } from '../rules.ts';

/** Subscriptions and payments as programs read them. Source: api-v3 §6. */

/** Whose records the actor reads: their own, or as staff somebody's. Refuses `moderators_only`. */
export function whoseRecords(actor: Actor, user_id: string | undefined): string {
  if (!user_id || user_id === actor.user_id) return actor.user_id;
  assertAllowed(whyNotSeeBilling(actor));
  return user_id;
}

export interface SubscriptionRecord {
  id: string;
  user_id: string;
  state: SubscriptionState;
  term: Term;
  /** Null for Plus. */
  ram_mb: number | null;
  currency: Currency;
  price_minor: number;
  created: string;
  /** Null for Plus. */
  server_id: string | null;
  region: string | null;
}
const max_records = 200;

const records = (db: Db, where: ReturnType<Db>) => db<SubscriptionRecord[]>`
  select u.id, u.user_id, u.state, u.term, u.ram_mb, u.currency, u.price_minor, u.created, u.server_id, o.region
  from subscriptions u left join orders o on o.id = u.order_id
  where ${where} order by u.created desc, u.id limit ${max_records}`;

/** The subscriptions of somebody, newest first, 200 at most. */
export const subscriptionRecords = (db: Db, user_id: string): Promise<SubscriptionRecord[]> =>
  records(db, db`u.user_id = ${user_id}`);

/** A subscription of the actor, any for administrators. Refuses `not_found`. */
export async function subscriptionRecord(db: Db, actor: Actor, id: string): Promise<SubscriptionRecord> {
  const [row] = await records(db, db`u.id = ${id}`);
  if (!row || (row.user_id !== actor.user_id && !isAdmin(actor))) throw new Refused('not_found');
  return row;
}

export interface PaymentRecord {
  id: string;
  user_id: string;
  amount: number;
  currency: Currency;
  /** That of the charge; `refund` for what was given back. */
  state: string;
  kind: string;
  created: string;
  last_tried: string | null;
  subscription_id: string;
  term: Term;
  /** Null for Plus. */
  ram_mb: number | null;
  processor: string;
  parent: string | null;
  net: number;
}

/** The charges and refunds of somebody, newest first, 200 at most. */
export const paymentRecords = (db: Db, user_id: string): Promise<PaymentRecord[]> => db<PaymentRecord[]>`
  select * from (
    select c.id, c.user_id, c.amount_minor as amount, c.currency, c.state, c.reason as kind, c.created, c.last_tried,
      c.subscription_id, u.term, u.ram_mb, c.processor, null as parent,
      case when c.state = 'succeeded' and c.dispute is distinct from 'lost' then c.amount_minor - (
        select coalesce(sum(g.amount_minor), 0) from refunds g where g.charge_id = c.id)::bigint else 0 end as net
    from charges c join subscriptions u on u.id = c.subscription_id where c.user_id = ${user_id}
    union all
    select r.id, c.user_id, r.amount_minor, c.currency, case when r.sent is null then 'waiting' else 'succeeded' end,
      'refund', r.created, r.sent, c.subscription_id, u.term, u.ram_mb, c.processor, c.id, -r.amount_minor
    from refunds r join charges c on c.id = r.charge_id join subscriptions u on u.id = c.subscription_id
    where c.user_id = ${user_id}
  ) x order by created desc, id limit ${max_records}`;

/** A charge and how its payment is called at the processor, for its payer; no server: the newest of Plus. Refuses `charge_not_found`. */
export async function ownCharge(
  db: Db,
  { user_id }: Actor,
  where: { id: string } | { server_id: string | null },
): Promise<{
  id: string;
  intent_id: string | null;
  amount: number;
  currency: Currency;
  /** Null for Plus. */
  ram_mb: number | null;
  method_id: string | null;
}> {
  const which =
    'id' in where
      ? db`c.id = ${where.id}`
      : where.server_id === null
        ? db`u.product = 'plus'`
        : db`u.server_id = ${where.server_id} and c.reason = 'first'`;
  const [row] = await db<Array<Awaited<ReturnType<typeof ownCharge>>>>`
    select c.id, c.intent_id, c.amount_minor as amount, c.currency, u.ram_mb, c.method_id
    from charges c join subscriptions u on u.id = c.subscription_id
    where ${which} and c.user_id = ${user_id} order by c.created desc limit 1`;
  if (!row) throw new Refused('charge_not_found');
  return row;
}

/** Servers that are paid for, or not any more, for programs of the operator; a page after the last id of the one before. */
export const serverRecords = (
  db: Db,
  isProvisioned: boolean,
  after: string,
): Promise<Array<SubscriptionRecord & { server_id: string }>> => db<
  Array<SubscriptionRecord & { server_id: string }>
>`
  select u.id, u.user_id, u.state, u.term, u.ram_mb, u.currency, u.price_minor, u.created, u.server_id, o.region
  from subscriptions u left join orders o on o.id = u.order_id
  where u.server_id is not null and (u.state = 'ended') <> ${isProvisioned} and u.id > ${after}
  order by u.id limit 10000`;

/** Lets another stored method pay for one subscription. Refuses `payment_method_not_found`. */
export async function payWithMethod(
  tx: Db,
  processor: string,
  { user_id }: Actor,
  subscription_id: string,
  method_id: string,
): Promise<void> {
  await tx`select 1 from users where id = ${user_id} for no key update`;
  const changed = await tx`
    update subscriptions set method_id = ${method_id}
    where id = ${subscription_id} and user_id = ${user_id} and exists (
      select 1 from payment_methods m where m.id = ${method_id} and m.user_id = ${user_id}
        and m.processor = ${processor} and m.removed is null)
    returning id`;
  if (changed.length === 0) throw new Refused('payment_method_not_found');
}
