import { assertAllowed, Refused } from '../../../platform/errors.ts';
import { type Actor, isAdmin } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { whyNotSeeBilling } from '../refunds/rules.ts';
import type { ChargeReason, ChargeState, Currency, SubscriptionState, Term } from '../rules.ts';

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
  /** What was bought; null for Plus. */
  term: Term;
  ram_mb: number | null;
  processor: string;
  parent: string | null;
  net: number;
}

/** The charges and refunds of somebody, newest first, 200 at most. */
export const paymentRecords = (db: Db, user_id: string): Promise<PaymentRecord[]> => db<PaymentRecord[]>`
  select * from (
    select c.id, c.user_id, c.amount_minor as amount, c.currency, c.state, c.reason as kind, c.created, c.last_tried,
      c.subscription_id, c.term, c.ram_mb, c.processor, null as parent,
      case when c.state = 'succeeded' and c.dispute is distinct from 'lost' then c.amount_minor - (
        select coalesce(sum(g.amount_minor), 0) from refunds g where g.charge_id = c.id)::bigint else 0 end as net
    from charges c where c.user_id = ${user_id}
    union all
    select r.id, c.user_id, r.amount_minor, c.currency, case when r.sent is null then 'waiting' else 'succeeded' end,
      'refund', r.created, r.sent, c.subscription_id, c.term, c.ram_mb, c.processor, c.id, -r.amount_minor
    from refunds r join charges c on c.id = r.charge_id where c.user_id = ${user_id}
  ) x order by created desc, id limit ${max_records}`;

/** A charge as its payer pays it: what it is for, and how its payment is called at the processor. */
export interface OwnCharge {
  id: string;
  state: ChargeState;
  reason: ChargeReason;
  intent_id: string | null;
  amount: number;
  currency: Currency;
  /** What it buys; the memory is null for Plus. */
  ram_mb: number | null;
  term: Term;
  method_id: string | null;
  subscription_state: SubscriptionState;
  /** Server and order are null for Plus. */
  server_id: string | null;
  region: string | null;
  name: string | null;
}

/** A charge of the actor by its id or its intent; with `staff`, administrators find that of anybody. Refuses `charge_not_found`. */
export async function ownCharge(
  db: Db,
  actor: Actor,
  where: { id: string; staff?: boolean } | { intent_id: string },
): Promise<OwnCharge> {
  const which = 'id' in where ? db`c.id = ${where.id}` : db`c.intent_id = ${where.intent_id}`;
  const anybody = 'id' in where && where.staff === true && isAdmin(actor);
  const [row] = await db<OwnCharge[]>`
    select c.id, c.state, c.reason, c.intent_id, c.amount_minor as amount, c.currency, c.ram_mb, c.term, c.method_id,
      u.state as subscription_state, u.server_id, o.region, o.name
    from charges c join subscriptions u on u.id = c.subscription_id left join orders o on o.id = u.order_id
    where ${which} and (c.user_id = ${actor.user_id} or ${anybody})`;
  if (!row) throw new Refused('charge_not_found');
  return row;
}

/** Servers that are paid for, or not yet or not any more, for programs of the operator; a page after the last id of the one before. */
export const serverRecords = (
  db: Db,
  isProvisioned: boolean,
  after: string,
): Promise<Array<SubscriptionRecord & { server_id: string }>> => db<
  Array<SubscriptionRecord & { server_id: string }>
>`
  select u.id, u.user_id, u.state, u.term, u.ram_mb, u.currency, u.price_minor, u.created, u.server_id, o.region
  from subscriptions u left join orders o on o.id = u.order_id
  where u.server_id is not null and (u.state in ('pending', 'ended')) <> ${isProvisioned} and u.id > ${after}
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
