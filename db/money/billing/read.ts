import { type ServerFacts, whyNotSee } from '../../hosting/servers/rules.ts';
import type { NewServer } from '../../hosting/servers/write.ts';
import { assertAllowed } from '../../platform/errors.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { cardOf } from './paid-with.ts';
import { orderProgress, type Plan } from './rules.ts';
import type { OrderView, PaidMonth, PaymentView, SubscriptionView } from './view.ts';

/** Maximum number of orders in a user's list. */
const max_orders = 50;
/** Maximum number of subscriptions in a user's list. */
const max_subscriptions = 100;

/** The server of a paid order, as `openServer` takes it; null for an order that is not paid or unknown. */
export async function paidOrder(db: Db, order_id: string): Promise<NewServer | null> {
  const [row] = await db<Array<Omit<NewServer, 'terms_accepted'> & { terms_accepted: string }>>`
    select server_id as id, id as order_id, user_id as owner_id, name, kind, region, plan, ram_mb, cpu_millis, swap_mb,
      disk_mb, game_version, loader, starts, terms_accepted
    from orders where id = ${order_id} and state = 'paid'`;
  return row ? { ...row, terms_accepted: new Date(row.terms_accepted) } : null;
}

type OrderRow = Omit<OrderView, 'state'> & Parameters<typeof orderProgress>[0] & { user_id: string };

const ordersWithoutServer = (db: Db, where: ReturnType<Db>) => db<OrderRow[]>`
  select o.server_id, o.user_id, o.name, o.plan, o.ram_mb, o.region, o.term, o.currency, o.game_version, o.loader,
    u.period_end, o.state as order, u.state as subscription, c.state as charge
  from orders o join subscriptions u on u.order_id = o.id
    left join charges c on c.subscription_id = u.id and c.reason = 'first'
  where ${where} and not exists (select 1 from servers s where s.id = o.server_id)
  order by o.created desc, o.id limit ${max_orders}`;

function orderView({ user_id: _, order, subscription, charge, ...view }: OrderRow): OrderView | null {
  const state = orderProgress({ order, subscription, charge });
  return state && { ...view, state };
}

/**
 * The order of a server that does not exist yet, or never will. Null for unknown orders, those of other users and those
 * whose server exists or was deleted.
 */
export async function orderWithoutServer(db: Db, actor: Actor, server_id: string): Promise<OrderView | null> {
  const [row] = await ordersWithoutServer(db, db`o.server_id = ${server_id}`);
  return row && !whyNotSee(actor, ownedBy(row.user_id)) ? orderView(row) : null;
}

/** The orders of a user whose servers are still to come, newest first. */
export async function ordersUnderWay(db: Db, { user_id }: Actor): Promise<OrderView[]> {
  const rows = await ordersWithoutServer(
    db,
    db`o.user_id = ${user_id} and o.state in ('pending', 'paid') and u.state <> 'ended'`,
  );
  return rows.flatMap((row) => orderView(row) ?? []);
}

/** What decides who may see a server that does not exist. */
const ownedBy = (owner_id: string): ServerFacts => ({
  owner_id,
  lifecycle: 'unprovisioned',
  power: 'stopped',
});

const subscriptionRows = (db: Db, where: ReturnType<Db>) => db<Array<SubscriptionView & { user_id: string }>>`
  select u.server_id, u.user_id, u.state, u.term, u.currency, u.price_minor, u.plan, u.ram_mb,
    coalesce(s.name, o.name) as name, u.period_end,
    u.grace_reason, u.grace_until, u.next_attempt,
    (select p.failure from charges p where p.subscription_id = u.id order by p.created desc, p.id limit 1) as failure,
    s.node_id is not null as placed,
    (select jsonb_build_object('state', c.state, 'plan', c.plan, 'ram_mb', c.ram_mb, 'term', c.term,
        'price_minor', c.price_minor)
      from plan_changes c where c.subscription_id = u.id and c.state in ('paying', 'scheduled', 'paid')) as change,
    ${cardOf(db)} as card
  from subscriptions u join orders o on o.id = u.order_id left join payment_methods m on m.id = u.method_id
    left join servers s on s.id = u.server_id
  where ${where} order by u.created desc, u.id limit ${max_subscriptions}`;

/** The subscription of a server for `actor`. Refuses like `whyNotSee`. Null for a server that was never ordered. */
export async function subscriptionOf(
  db: Db,
  actor: Actor | null,
  server_id: string,
): Promise<SubscriptionView | null> {
  const [row] = await subscriptionRows(db, db`u.server_id = ${server_id}`);
  assertAllowed(whyNotSee(actor, row ? ownedBy(row.user_id) : null), { scope: 'SERVER_READ' });
  if (!row) return null;
  const { user_id: _, ...view } = row;
  return view;
}

/** What a user pays for or tries, newest first, without what has ended. */
export const subscriptionsOf = async (db: Db, { user_id }: Actor): Promise<SubscriptionView[]> =>
  (await subscriptionRows(db, db`u.user_id = ${user_id} and u.state <> 'ended'`)).map(
    ({ user_id: _, ...view }) => view,
  );

/** A plan that a user pays for, or tries: its server, and whether another plan can be chosen for it. */
export interface OwnPlan {
  server_id: string;
  name: string;
  plan: Plan;
  ram_mb: number;
}

/** Most servers that are named to somebody who is about to order another one. */
const max_own_plans = 3;

/** Servers of a user whose plan can be changed, newest first. */
export const plansOf = (db: Db, { user_id }: Actor): Promise<OwnPlan[]> => db<OwnPlan[]>`
  select u.server_id, s.name, u.plan, u.ram_mb from subscriptions u join servers s on s.id = u.server_id
  where u.user_id = ${user_id} and u.state = 'active' and s.lifecycle <> 'deprovisioning'
  order by u.created desc, u.id limit ${max_own_plans}`;

/** Whether the user has had a trial. */
export async function hadTrial(db: Db, user_id: string): Promise<boolean> {
  const rows = await db`
    select 1 from orders where user_id = ${user_id} and plan = 'trial' and state in ('pending', 'paid')`;
  return rows.length > 0;
}

/** Payments on one page of a list. */
const payments_per_page = 10;

/**
 * The payments for a server, or all of a user, on a page of the list, newest first; a page beyond the last one is the last.
 * For callers who may see them.
 */
export async function paymentsOf(
  db: Db,
  about: { server_id: string } | { user_id: string },
  requested: number,
): Promise<{ payments: PaymentView[]; page: number; pages: number }> {
  const where =
    'server_id' in about ? db`u.server_id = ${about.server_id}` : db`c.user_id = ${about.user_id}`;
  const [count] = await db<[{ total: number }]>`
    select count(*)::int as total from charges c join subscriptions u on u.id = c.subscription_id
    where ${where}`;
  const pages = Math.max(1, Math.ceil(count.total / payments_per_page));
  const page = Math.min(Math.max(1, requested), pages);
  const payments = await db<PaymentView[]>`
    select c.id, c.reason, c.state, c.amount_minor, c.currency, c.period_start, c.period_end, c.created, c.dispute,
      c.ram_mb, c.term, u.server_id, coalesce(s.name, o.name) as name,
      (select coalesce(sum(r.amount_minor), 0)::bigint from refunds r where r.charge_id = c.id) as given_minor,
      case when c.ram_mb is not null then coalesce((select p.plan from plan_changes p where p.charge_id = c.id limit 1),
        case c.ram_mb when u.ram_mb then u.plan when o.ram_mb then o.plan end, 'custom') end as plan,
      ${cardOf(db)} as card
    from charges c join subscriptions u on u.id = c.subscription_id left join orders o on o.id = u.order_id
      left join servers s on s.id = u.server_id left join payment_methods m on m.id = c.method_id
    where ${where}
    order by c.created desc, c.id limit ${payments_per_page} offset ${(page - 1) * payments_per_page}`;
  return { payments, page, pages };
}

/** Maximum number of months that are summed up: ten years in one currency. */
const max_months = 120;

/** What somebody paid by month, the newest first. */
export const paidByMonth = (db: Db, { user_id }: Actor): Promise<PaidMonth[]> => db<PaidMonth[]>`
  select extract(year from settled at time zone 'UTC')::int as year,
    extract(month from settled at time zone 'UTC')::int as month, currency, sum(amount_minor - coalesce((
      select sum(r.amount_minor) from refunds r where r.charge_id = c.id), 0))::bigint as amount_minor
  from charges c where user_id = ${user_id} and state = 'succeeded'
  group by 1, 2, 3 order by 1 desc, 2 desc, 3 limit ${max_months}`;
