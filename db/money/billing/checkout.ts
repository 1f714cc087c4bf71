import type { Mailing } from '../../messages/mail/queue.ts';
import { Refused } from '../../platform/errors.ts';
import type { JobQueue } from '../../platform/jobs/queue.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db, Pool } from '../../platform/postgres/sql.ts';
import { keepCancelAnswer } from './cancel-answer.ts';
import type { CancelAnswer } from './cancel-reasons.ts';
import { markSent, type Settlement, settle, waitingCharge } from './charges.ts';
import { methodOf } from './customers.ts';
import { applyDispute } from './disputes.ts';
import { bookFee } from './fees.ts';
import { creditWhole, issueInvoice } from './invoices/write.ts';
import { chargeAt, findOpenCharge, type OpenChargeRequest } from './open-charges.ts';
import { tellOfFailedPayment } from './payment-mail.ts';
import type { Card, GivenMethod, Method, Outcome, Payments } from './payments.ts';
import type { WantedPlan } from './plan-change/rules.ts';
import { changePlan as changeOne } from './plan-changes/write.ts';
import { upsertPaymentMethod } from './store-method.ts';
import { cancel as cancelOne, type RenewalChoice, resubscribe as resubscribeOne } from './subscriptions.ts';
import { webhookSecret } from './webhook-secret.ts';
import { type OrderInput, type PlacedOrder, placeOrder } from './write.ts';

/** What billing works with: database, payment processor and job queue of the site or the control plane. */
export interface BillingContext {
  sql: Pool;
  payments: Payments;
  /** Jobs are enqueued in the transaction: they exist exactly when it commits. */
  board: Pick<JobQueue, 'enqueue'>;
  /** Tells payers what went wrong. */
  mailing: Mailing;
}

/** A sandbox card that always succeeds, for orders without a form on demo installations (`cairn server create`). */
const demoCard = (now: Date): Card => ({
  number: '4242424242424242',
  expires_month: 12,
  expires_year: now.getUTCFullYear() + 5,
});

export interface CheckoutResult {
  order_id: string;
  server_id: string;
  /** `waiting`: the processor needs time; the server is created when the payment succeeds. */
  state: 'paid' | 'waiting';
}

/**
 * Orders a server and pays for it: one transaction places the order, the processor is called outside of transactions,
 * another one settles the charge. The same `op_id` twice is one order and one payment. Without a card the sandbox uses its
 * own, any other processor refuses. Refuses what `placeOrder` does, `card_unknown`, `card_expired`, `payment_declined`.
 */
export async function checkout(
  context: BillingContext,
  actor: Actor,
  input: OrderInput,
  given: GivenMethod | null,
  now: Date,
): Promise<CheckoutResult> {
  const { sql, payments } = context;
  const named = given ?? (payments.test ? demoCard(now) : null);
  const method = await methodOf(sql, payments, actor, input.plan === 'trial' ? null : named, now);
  const { order_id, server_id, charge_id } = await openOrder(context, actor, input, method, now);
  if (!charge_id) return { order_id, server_id, state: 'paid' };
  return { order_id, server_id, state: await collectWhileWaiting(context, charge_id, now) };
}

/** Places an order whose charge its caller collects; one without a charge goes on by itself. */
export const openOrder = async (
  { sql, payments, board }: BillingContext,
  actor: Actor,
  input: OrderInput,
  method: Method | null,
  now: Date,
): Promise<PlacedOrder> =>
  await sql.begin(async (tx) => {
    const made = await placeOrder(tx, actor, input, { payments, method }, now);
    if (!made.charge_id) await board.enqueue(tx, 'create_server', { order_id: made.order_id });
    return made;
  });

/** Collects a charge while the user waits. Refuses `payment_declined` and `subscription_ended`. */
export const collectWhileWaiting = async (
  context: BillingContext,
  charge_id: string,
  now: Date,
): Promise<CheckoutResult['state']> =>
  (await collectOrRefuse(context, charge_id, now))?.state === 'waiting' ? 'waiting' : 'paid';

/** Collects a charge, see `collectCharge`. Refuses `payment_declined` and `subscription_ended`. */
export async function collectOrRefuse(
  context: BillingContext,
  charge_id: string,
  now: Date,
): Promise<Settlement | null> {
  const settled = await collectCharge(context, charge_id, now);
  if (settled?.state === 'failed')
    throw new Refused('payment_declined', { reason: settled.failure ?? 'declined' });
  // the subscription ended while the payment was under way, so it is refunded
  if (settled?.job === 'refund_charge') throw new Refused('subscription_ended');
  return settled;
}

/** Stores the method that is given, and opens with it what its caller then pays; null goes on with the one before. */
export async function openWithMethod(
  { sql, payments }: BillingContext,
  actor: Actor,
  given: GivenMethod | null,
  open: (tx: Db, method_id: string | null) => Promise<{ charge_id: string | null }>,
  now: Date,
): Promise<{ charge_id: string | null; method: Method | null }> {
  const method = await methodOf(sql, payments, actor, given, now);
  return await sql.begin(async (tx) => {
    const method_id = method && (await upsertPaymentMethod(tx, actor, payments.name, method, now));
    return { charge_id: (await open(tx, method_id)).charge_id, method };
  });
}

/** Sends a charge to the processor and applies the outcome; one that is settled, or is at another processor, only gives its state. */
export async function collectCharge(
  context: BillingContext,
  charge_id: string,
  now: Date,
): Promise<Settlement | null> {
  const { sql, payments } = context;
  const found = await findOpenCharge(sql, charge_id, payments.name, now);
  // one without a card goes nowhere
  const sends = found?.ask || found?.intent_id;
  const open = found && (!sends || (await markSent(sql, charge_id, now))) ? found : null;
  const outcome = open && (await requestOutcome(context, open, now));
  const settled = await sql.begin((tx) => applyOutcome(tx, context, charge_id, outcome, now));
  if (settled && outcome?.unanswered) return { ...settled, unanswered: true };
  return settled && outcome?.confirm ? { ...settled, confirm: outcome.confirm } : settled;
}

/**
 * What the actor has to do for a payment of a server, or of Plus (null), that waits: a client secret to confirm it with, or null when there is
 * nothing to do. Asks the processor, so it also settles what was confirmed; `none` when no payment waits.
 */
export async function confirmPayment(
  context: BillingContext,
  { user_id }: Actor,
  server_id: string | null,
  now: Date,
): Promise<{ client_secret: string | null; state: 'waiting' | 'paid' | 'failed' | 'none' }> {
  const charge_id = await waitingCharge(context.sql, user_id, server_id);
  const settled = charge_id === null ? null : await collectCharge(context, charge_id, now);
  if (!settled) return { client_secret: null, state: 'none' };
  const { state, confirm = null } = settled;
  if (state === 'waiting') return { client_secret: confirm, state };
  return { client_secret: null, state: state === 'succeeded' ? 'paid' : 'failed' };
}

async function requestOutcome(
  { payments }: BillingContext,
  { ask, intent_id }: OpenChargeRequest,
  now: Date,
): Promise<Outcome> {
  if (intent_id) return await payments.retrieve(intent_id, now);
  return ask ? await payments.charge(ask) : { intent_id: null, state: 'failed', failure: 'card_required' };
}

/** Handles a webhook, once: gives false for one that was handled before. Refuses as `Payments.verify` does. */
export async function handleWebhook(
  context: BillingContext,
  signature: string | null,
  body: string,
  now: Date,
): Promise<boolean> {
  const { sql, payments } = context;
  const secret = await webhookSecret(sql, payments);
  const { id, charge_id, outcome, dispute, fee } = await payments.verify(secret, signature, body, now);
  return await sql.begin(async (tx) => {
    const fresh = await tx`
      insert into webhook_events ${tx({ processor: payments.name, id, received: now })}
      on conflict do nothing returning id`;
    if (fresh.length === 0) return false;
    const about = { charge_id, intent_id: outcome?.intent_id ?? null };
    const own = outcome && (await chargeAt(tx, payments.name, about));
    if (own) await applyOutcome(tx, context, own, outcome, now);
    if (fee) await bookFee(tx, payments.name, fee.intent_id, fee, now);
    const stopped = dispute && (await applyDispute(tx, payments.name, dispute, now));
    if (stopped) await context.board.enqueue(tx, 'reconcile_server', { subscription_id: stopped });
    return true;
  });
}

async function applyOutcome(
  tx: Db,
  { board, mailing, payments }: BillingContext,
  id: string,
  outcome: Outcome | null,
  now: Date,
): Promise<Settlement | null> {
  const settled = await settle(tx, { id }, outcome, now);
  const late = settled?.job === 'refund_charge';
  if (settled && (settled.state === 'succeeded' || late))
    await issueInvoice(tx, mailing.settings, payments, settled.charge_id, now);
  if (settled && late) await creditWhole(tx, settled.charge_id, now);
  if (settled?.job === 'create_server' && settled.order_id)
    await board.enqueue(tx, 'create_server', { order_id: settled.order_id });
  if (settled?.job === 'refund_charge')
    await board.enqueue(tx, 'refund_charge', { charge_id: settled.charge_id });
  if (settled?.job === 'reconcile_server')
    await board.enqueue(tx, 'reconcile_server', { subscription_id: settled.subscription_id });
  if (settled?.renewal_failed) await tellOfFailedPayment(tx, mailing, settled.charge_id, now);
  return settled;
}

/** Cancels a server's subscription, see `subscriptions.ts`, and keeps what its owner says about why. */
export async function cancel(
  context: BillingContext,
  actor: Actor,
  server_id: string,
  now: Date,
  answer: CancelAnswer | null = null,
): Promise<void> {
  await context.sql.begin(async (tx) => {
    const { subscription_id, job, charge_ids } = await cancelOne(tx, actor, server_id, now);
    if (answer) await keepCancelAnswer(tx, subscription_id, answer);
    if (job) await context.board.enqueue(tx, 'reconcile_server', { subscription_id });
    for (const charge_id of charge_ids) await context.board.enqueue(tx, 'refund_charge', { charge_id });
  });
}

/** Resubscribes and pays where a payment is due, see `subscriptions.ts`. Refuses `payment_declined` too. */
export const resubscribe = async (
  context: BillingContext,
  actor: Actor,
  server_id: string,
  how: Renewal,
  now: Date,
): Promise<CheckoutResult['state']> =>
  await renewAndPay(
    context,
    actor,
    how,
    (tx, choice) => resubscribeOne(tx, actor, server_id, choice, now),
    now,
  );

/** How a subscription goes on: null keeps its interval, or its method. */
export interface Renewal {
  interval: string | null;
  method: GivenMethod | null;
}

/** Renews in one transaction, with the method that is given, and pays outside of it where a payment is due. */
export async function renewAndPay(
  context: BillingContext,
  actor: Actor,
  { interval, method: given }: Renewal,
  renew: (tx: Db, choice: RenewalChoice) => Promise<{ charge_id: string | null }>,
  now: Date,
): Promise<CheckoutResult['state']> {
  const { payments } = context;
  const { charge_id } = await openWithMethod(
    context,
    actor,
    given,
    (tx, method_id) => renew(tx, { interval, method_id, payments }),
    now,
  );
  return charge_id ? await collectWhileWaiting(context, charge_id, now) : 'paid';
}

/** Changes plan or interval of a server and pays what is due now, see `plan-change/write.ts`. Refuses `payment_declined` too. */
export async function changePlan(
  context: BillingContext,
  actor: Actor,
  asked: WantedPlan & { server_id: string; op_id: string },
  given: GivenMethod | null,
  now: Date,
): Promise<CheckoutResult['state']> {
  const { payments } = context;
  const { charge_id } = await openWithMethod(
    context,
    actor,
    given,
    (tx, method_id) => changeOne(tx, actor, asked, { method_id, payments }, now),
    now,
  );
  return charge_id ? await collectWhileWaiting(context, charge_id, now) : 'paid';
}
