import { randomUUID } from 'node:crypto';
import { whyNotOffered } from '../../hosting/server-kinds/rules.ts';
import { serverName, whyNotName } from '../../hosting/servers/name.ts';
import { whyNotCreate } from '../../hosting/servers/rules.ts';
import { type Size, sizeOf } from '../../hosting/servers/sizes.ts';
import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import { newId } from '../../platform/id.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { availableCapacity } from './capacity.ts';
import { openCharge } from './charges.ts';
import type { Method, Payments } from './payments.ts';
import {
  type Currency,
  type OrderRequest,
  type Plan,
  periodEnd,
  priceOf,
  type Region,
  ramGbOf,
  type Term,
  whyNotOrder,
  whyNotSell,
} from './rules.ts';
import { upsertPaymentMethod } from './store-method.ts';
import { countTrial } from './trial-limit.ts';

/** An order with everything its server is created with. */
export interface OrderInput extends OrderRequest {
  /**
   * Idempotency key of the client: the same one twice is one order. Null for a program that has none: then an identical order
   * of the same person is meant that waits for its payment, or was paid a moment ago.
   */
  op_id: string | null;
  name: string;
  kind: string;
  game_version: string;
  loader: string | null;
  /** Whether its server starts by itself once it is installed. */
  starts: boolean;
  /** Of the client, for the limit of trials per network; null where limits are off. */
  address: string | null;
}
export interface PlacedOrder {
  order_id: string;
  server_id: string;
  /** The charge to collect before the server is created; null when nothing is to be paid. */
  charge_id: string | null;
}

/**
 * Places an order: order, subscription, charge and invoice. The caller collects the charge (`checkout.ts`), or
 * enqueues `create_server` in the same transaction when there is none. Refuses `payments_off`, `email_unverified`, `plan_unknown`, `plan_ram`,
 * `region_unknown`, `currency_unknown`, `interval_unknown`, `terms_required`, `server_name_length`,
 * `server_kind_unknown`, `server_version_unknown`, `trial_used`, `trial_network_limit`, `card_required`, `out_of_stock`,
 * `payment_methods_limit`, `operation_mismatch` (the `op_id` belongs to another user, or to another plan, interval, currency
 * or region). Source: decisions §4.1; specification §9.
 */
export async function placeOrder(
  tx: Db,
  actor: Actor,
  input: OrderInput,
  { payments, method }: { payments: Pick<Payments, 'name' | 'enabled'>; method: Method | null },
  now: Date,
): Promise<PlacedOrder> {
  assertAllowed(whyNotSell(payments));
  assertAllowed(whyNotCreate(actor), { scope: 'SERVER_CREATE' });
  assertComplete(input);
  // one order per user at a time: the second of two submits finds the first
  await tx`select 1 from users where id = ${actor.user_id} for no key update`;
  const before =
    input.op_id === null ? await findAlike(tx, actor, input, now) : await findOrder(tx, actor, input);
  if (before) return before;

  const plan = input.plan as Plan;
  const region = input.region as Region;
  const term = (plan === 'trial' ? 'trial' : input.interval) as Term;
  const gb = ramGbOf(plan, input.ram_gb);
  const size = sizeOf(gb);
  const price_minor = term === 'trial' ? 0 : priceOf(gb, input.currency as Currency, term);
  if (term === 'trial') await assertTrialUnused(tx, actor);
  else if (!method) throw new Refused('card_required');
  await assertCapacity(tx, region, size, now);
  if (term === 'trial' && input.address !== null) await countTrial(tx, input.address, now);

  const order_id = newId();
  const server_id = newId();
  const subscription_id = newId();
  const method_id = method ? await upsertPaymentMethod(tx, actor, payments.name, method, now) : null;
  const common = { user_id: actor.user_id, server_id, term, currency: input.currency, price_minor };
  await tx`insert into orders ${tx({
    ...common,
    ...size,
    id: order_id,
    op_id: input.op_id ?? randomUUID(),
    state: term === 'trial' ? 'paid' : 'pending',
    name: serverName(input.name),
    kind: input.kind,
    game_version: input.game_version,
    loader: input.loader,
    starts: input.starts,
    region,
    plan,
    terms_accepted: now,
    created: now,
  })}`;
  await recordEvent(tx, {
    name: 'order.placed',
    actor_id: actor.user_id,
    user_id: actor.user_id,
    server_id,
    data: { order_id, plan, region, term },
  });
  const period = { anchor: now, period_start: now, period_end: periodEnd(now, now, term) };
  await tx`insert into subscriptions ${tx({
    ...common,
    ...period,
    id: subscription_id,
    order_id,
    method_id,
    ...{ plan, ram_mb: size.ram_mb },
    state: term === 'trial' ? 'active' : 'pending',
    created: now,
  })}`;
  if (term === 'trial') return { order_id, server_id, charge_id: null };
  const to = { processor: payments.name, by: actor };
  const charge = { subscription_id, reason: 'first' as const, ...period, ...to };
  const charge_id = await openCharge(tx, charge, now);
  return { order_id, server_id, charge_id };
}

/** Refuses everything that is wrong with an order at once: the first code, all of them in `reasons` when there are several. */
function assertComplete(input: OrderInput): void {
  const { kind, game_version, loader } = input;
  // the rules that creating the server applies later: what is sold can be created
  const misnamed = whyNotName(input.name);
  const not_offered = whyNotOffered(kind, game_version, loader);
  const wrong = [
    whyNotOrder(input),
    misnamed && { code: misnamed, data: {} },
    not_offered && { code: not_offered, data: { kind, game_version, loader, allowed: '' } },
  ].filter((one) => one !== null);
  const [first] = wrong;
  if (!first) return;
  const reasons = wrong.map(({ code }) => code);
  throw new Refused(first.code, { ...first.data, ...(reasons.length > 1 && { reasons }) });
}

/** The earlier order with this `op_id`, or null. Refuses `operation_mismatch`. */
async function findOrder(
  tx: Db,
  actor: Actor,
  { op_id, plan, ram_gb, interval, currency, region }: OrderInput,
): Promise<PlacedOrder | null> {
  const term = plan === 'trial' ? plan : interval;
  const size = ramGbOf(plan as Plan, ram_gb) * 1024;
  const [row] = await tx<Array<PlacedOrder & { user_id: string; same: boolean }>>`
    select o.id as order_id, o.server_id, o.user_id, c.id as charge_id,
      (o.plan, o.ram_mb, o.term, o.currency, o.region) = (${plan}, ${size}::int, ${term}, ${currency}, ${region}) as same
    from orders o join subscriptions s on s.order_id = o.id
      left join charges c on c.subscription_id = s.id and c.reason = 'first'
    where o.op_id = ${op_id}`;
  if (!row) return null;
  if (row.user_id !== actor.user_id || !row.same) throw new Refused('operation_mismatch');
  return { order_id: row.order_id, server_id: row.server_id, charge_id: row.charge_id };
}

/** So long after its payment an identical order without a key is the same one, sent again. */
export const repeated_ms = 10 * 60_000;

/** The newest order of the actor for the same, when its payment waits or has come a moment ago; or null. */
async function findAlike(
  tx: Db,
  { user_id }: Actor,
  { name, plan, ram_gb, interval, currency, region }: OrderInput,
  now: Date,
): Promise<PlacedOrder | null> {
  const size = ramGbOf(plan as Plan, ram_gb) * 1024;
  const [row] = await tx<PlacedOrder[]>`
    select o.id as order_id, o.server_id, c.id as charge_id
    from orders o join subscriptions s on s.order_id = o.id
      join charges c on c.subscription_id = s.id and c.reason = 'first'
    where o.user_id = ${user_id} and s.state <> 'ended'
      and (o.name, o.plan, o.ram_mb, o.term, o.currency, o.region)
        = (${serverName(name)}, ${plan}, ${size}::int, ${interval}, ${currency}, ${region})
      and (c.state in ('open', 'waiting')
        or (c.state = 'succeeded' and c.settled > ${new Date(now.getTime() - repeated_ms)}))
    order by o.created desc, o.id limit 1`;
  return row ?? null;
}

async function assertTrialUnused(tx: Db, { user_id }: Actor): Promise<void> {
  const tried =
    await tx`select 1 from orders where user_id = ${user_id} and plan = 'trial' and state in ('pending', 'paid')`;
  if (tried.length > 0) throw new Refused('trial_used');
}

/** Serializes orders in a region: the second order for the last capacity sees the first. Refuses `out_of_stock`. */
async function assertCapacity(tx: Db, region: Region, size: Size, now: Date): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtext(${`cairn.stock.${region}`}))`;
  const stock = await availableCapacity(tx, size, now);
  if (stock[region] < 1) throw new Refused('out_of_stock', { region });
}
