import { newId } from '../../platform/id.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { giveBack } from './give-back.ts';
import { type Posting, post } from './ledger.ts';
import { isTestProcessor, type Outcome, type Payments } from './payments.ts';
import { onPaid, onUnpaid } from './plan-change/steps.ts';
import { giveHalf } from './plus/half.ts';
import { creatorsHalf } from './plus/rules.ts';
import { assertProvedForAmount } from './proof-bound.ts';
import { recordCharge } from './record.ts';
import {
  addDays,
  type ChargeReason,
  type Interval,
  intervals,
  retryDays,
  type SubscriptionState,
  settlementEffect,
  type Term,
} from './rules.ts';
import { transition } from './transition.ts';
import { assertMayTryPayment } from './tries.ts';

/** What of a charge of Plus goes to creators, by its interval: nothing of a test payment, which brings no money. */
const creatorsMinor = Object.fromEntries(
  (Object.keys(intervals) as Interval[]).map((interval) => [interval, creatorsHalf(interval)]),
);

/**
 * Opens a charge for one period and invoices it; `collectCharge` sends it after the commit, with its id as the key. Refuses as
 * `assertMayTryPayment` and `assertProvedForAmount`, so that no way to order forgets them.
 */
export async function openCharge(
  tx: Db,
  ask: {
    subscription_id: string;
    reason: ChargeReason;
    processor: string;
    period_start: Date;
    period_end: Date;
    /** The price of its subscription when left out. */
    amount_minor?: number;
    /** What it buys: that of its subscription when left out, which a change of plan replaces only once it is paid. */
    bought?: { ram_mb: number; term: Term };
    /** Who asks for it; null for a renewal, which comes by itself. */
    by: Actor | null;
  },
  now: Date,
): Promise<string> {
  const {
    subscription_id,
    reason,
    processor,
    period_start,
    period_end,
    amount_minor = null,
    bought,
    by,
  } = ask;
  const [charge] = await tx<Posting[]>`
    insert into charges (id, subscription_id, user_id, method_id, reason, state, amount_minor, currency, period_start,
      period_end, processor, created, creators_minor, product, ram_mb, term)
    select ${newId()}, id, user_id, method_id, ${reason}, 'open', coalesce(${amount_minor}::bigint, price_minor), currency, ${period_start}, ${period_end},
      ${processor}, ${now}, case when product = 'plus' and ${!isTestProcessor(processor)} then (${tx.json(creatorsMinor)}::jsonb->>term)::bigint end,
      product, coalesce(${bought?.ram_mb ?? null}::int, ram_mb), coalesce(${bought?.term ?? null}::text, term)
    from subscriptions where id = ${subscription_id}
    returning id, user_id, processor, amount_minor, currency`;
  if (by) {
    await assertMayTryPayment(tx, by.user_id, now);
    await assertProvedForAmount(tx, by, now);
  }
  await post(tx, 'invoice', charge!, now);
  return charge!.id;
}

interface OpenCharge extends Posting {
  subscription_id: string;
  reason: ChargeReason;
  state: string;
  period_start: string;
  period_end: string;
  intent_id: string | null;
}

/** What follows a settled charge, for the caller to enqueue in the same transaction. */
export interface Settlement {
  charge_id: string;
  state: string;
  failure: string | null;
  job: 'create_server' | 'reconcile_server' | 'refund_charge' | null;
  /** Null for Plus, which has no server. */
  order_id: string | null;
  subscription_id: string;
  /** A payment for the next period failed just now: its payer is told. */
  renewal_failed?: true;
  /** A client secret with which the payer confirms it, see `Outcome`. */
  confirm?: string;
  /** The processor gave no answer. */
  unanswered?: true;
}

/** The charge of a server, or of Plus (null), that its payer `user_id` may have to confirm; null when none waits. */
export async function waitingCharge(
  db: Db,
  user_id: string,
  server_id: string | null,
): Promise<string | null> {
  const of = server_id === null ? db`u.product = 'plus'` : db`u.server_id = ${server_id}`;
  const [row] = await db<Array<{ id: string }>>`
    select c.id from charges c join subscriptions u on u.id = c.subscription_id
    where ${of} and c.user_id = ${user_id} and c.state in ('open', 'waiting') and c.reason <> 'renewal'
    order by c.created desc, c.id limit 1`;
  return row?.id ?? null;
}

/**
 * Applies a processor's outcome to a charge. The ledger comes first and always; then order and subscription follow as
 * `settlementEffect` says. A payment that comes after the subscription was cancelled or has ended is refunded in the same
 * transaction. A charge that is settled stays as it is, and so does each without an outcome: then what is known of it is
 * given. Gives null for an unknown charge.
 */
export async function settle(
  tx: Db,
  { id }: { id: string },
  outcome: Outcome | null,
  now: Date,
): Promise<Settlement | null> {
  // locks the subscription first, in the order of all of billing
  const [subscription] = await tx<
    Array<{ order_id: string | null; state: SubscriptionState; attempts: number; period_end: string }>
  >`
    select s.order_id, s.state, s.attempts, s.period_end from subscriptions s
    where s.id = (select c.subscription_id from charges c where c.id = ${id}) for update`;
  if (!subscription) return null;
  const [row] = await tx<Array<OpenCharge & { failure: string | null }>>`
    select c.* from charges c where c.id = ${id} for update`;
  const { reason, subscription_id } = row!;
  const ids = { charge_id: id, order_id: subscription.order_id, subscription_id };
  if (row!.state !== 'open' && row!.state !== 'waiting')
    return { state: row!.state, failure: row!.failure, job: null, ...ids };
  if (outcome === null) return { state: 'waiting', failure: null, job: null, ...ids };
  const { state, failure } = outcome;
  const intent_id = outcome.intent_id ?? row!.intent_id;
  const settled = state === 'waiting' ? null : now;
  await tx`update charges set ${tx({ state, failure, intent_id, settled })} where id = ${id}`;
  if (state === 'waiting') return { state, failure, job: null, ...ids };
  await post(tx, state === 'succeeded' ? 'payment' : 'void', row!, now);
  await recordCharge(tx, state === 'succeeded' ? 'charge.succeeded' : 'charge.failed', row!);
  switch (settlementEffect(reason, subscription.state, state)) {
    case 'activate':
      return { state, failure, job: await activate(tx, row!, ids.order_id, now), ...ids };
    case 'refund':
      await onUnpaid(tx, id, now);
      await bookRefund(tx, row!, ids.order_id, now);
      return { state: 'refunded', failure, job: 'refund_charge', ...ids };
    case 'retry':
      // days that staff gave meanwhile: it is tried again when they end
      if (subscription.state === 'active' && new Date(subscription.period_end) > now) break;
      await scheduleRetry(tx, subscription_id, subscription.attempts, now);
      return { state, failure, job: null, ...ids, renewal_failed: true };
    case 'end':
      await tx`update orders set state = 'failed' where id = ${ids.order_id}`;
      await transition(tx, subscription_id, 'ended');
      break;
    case 'none':
      await onUnpaid(tx, id, now);
      if (reason === 'first')
        await tx`update orders set state = 'failed' where id = ${ids.order_id} and state = 'pending'`;
  }
  return { state, failure, job: null, ...ids };
}

/** Begins the period that was paid. Gives the job that follows; Plus, without an order, needs none. */
async function activate(
  tx: Db,
  charge: OpenCharge,
  order_id: string | null,
  now: Date,
): Promise<Settlement['job']> {
  const { reason, subscription_id, period_start, period_end } = charge;
  const fresh = { attempts: 0, next_attempt: null, grace_reason: null, grace_until: null };
  await transition(tx, subscription_id, 'active', { ...fresh, period_start, period_end });
  await onPaid(tx, subscription_id, reason);
  if (reason !== 'renewal')
    await tx`update subscriptions set anchor = ${period_start} where id = ${subscription_id}`;
  if (order_id === null) {
    await giveHalf(tx, charge.id, now);
    return null;
  }
  if (reason !== 'first') return 'reconcile_server';
  await tx`update orders set state = 'paid' where id = ${order_id}`;
  return 'create_server';
}

/** Gives a late payment back; `checkout.ts` writes its credit note, the job `refund_charge` sends it to the processor. */
async function bookRefund(tx: Db, charge: OpenCharge, order_id: string | null, now: Date): Promise<void> {
  await giveBack(tx, charge, { amount_minor: charge.amount_minor, cause: 'late' }, now);
  if (charge.reason === 'first')
    await tx`update orders set state = 'refunded' where id = ${order_id} and state = 'pending'`;
}

async function scheduleRetry(tx: Db, subscription_id: string, attempts: number, now: Date): Promise<void> {
  const days = retryDays[attempts];
  const next_attempt = days === undefined ? null : addDays(now, days);
  await transition(tx, subscription_id, 'failed', { attempts: attempts + 1, next_attempt });
}

/**
 * Marks a charge as sent, before its processor is called: from then on it may have taken money and cannot be voided any
 * more. Gives false for one that is settled or unknown.
 */
export async function markSent(db: Db, charge_id: string, now: Date): Promise<boolean> {
  const marked = await db`
    update charges set last_tried = ${now} where id = ${charge_id} and state in ('open', 'waiting') returning id`;
  return marked.length > 0;
}

/** Voids the charge of a subscription that was opened and never sent to its processor; the subscription is locked. */
export async function voidUnsent(tx: Db, subscription_id: string, now: Date): Promise<void> {
  const voided = await tx<Posting[]>`
    update charges set state = 'failed', failure = 'cancelled', settled = ${now}
    where subscription_id = ${subscription_id} and state = 'open' and last_tried is null
    returning id, user_id, processor, amount_minor, currency`;
  for (const charge of voided) {
    await post(tx, 'void', charge, now);
    await recordCharge(tx, 'charge.failed', charge);
  }
}

/** A refund that its job did not send is sent again, at most once an hour. */
const resend_ms = 3_600_000;

/** Refunds of a processor that it does not have: their job ran out, or was lost. Those not tried for longest first. */
export async function unsentRefunds(db: Db, processor: string, now: Date, limit: number): Promise<string[]> {
  const rows = await db<Array<{ id: string }>>`
    select r.id from refunds r join charges c on c.id = r.charge_id
    where r.sent is null and c.processor = ${processor}
      and coalesce(r.last_tried, r.created) <= ${new Date(now.getTime() - resend_ms)}
    order by r.last_tried nulls first, r.created, r.id limit ${limit}`;
  return rows.map(({ id }) => id);
}

/**
 * Gives money back at its processor after the ledger: the refund that is named, or the one that has the id of its charge. The
 * ids are idempotency keys, so it happens once. One of another processor waits until that is set up again.
 */
export async function refund(
  db: Db,
  payments: Payments,
  { charge_id, refund_id = charge_id }: { charge_id?: string; refund_id?: string },
  now: Date,
): Promise<void> {
  const [due] = await db<Due[]>`
    update refunds r set last_tried = ${now} from charges c
    where c.id = r.charge_id and r.id = ${refund_id ?? null} and r.sent is null and c.processor = ${payments.name}
    returning r.id as key, c.intent_id, r.amount_minor, c.currency`;
  if (!due) return;
  await payments.refund(due);
  await db`update refunds set sent = ${now} where id = ${due.key}`;
}
interface Due {
  key: string;
  intent_id: string;
  amount_minor: number;
  currency: string;
}
