import { Refused } from '../errors.ts';
import type { Board } from '../jobs/board.ts';
import type { Actor } from '../people/rules.ts';
import type { Db, Pool } from '../sql.ts';
import { markSent, type Open, openOne, type Settled, settle } from './charges.ts';
import type { Card, Outcome, Payments } from './payments.ts';
import { cancel as cancelOne, resubscribe as resubscribeOne } from './subscriptions.ts';
import { webhookSecret } from './webhook-secret.ts';
import { keepMethod, type OrderInput, placeOrder } from './write.ts';

/** What buying works with. The doorways hold one: site and control plane. */
export interface Till {
  sql: Pool;
  payments: Payments;
  /** Only its `send` is needed: jobs exist exactly when the transaction commits. */
  board: Pick<Board, 'send'>;
}

/** A card with which nothing fails, for orders without a form on demo installs (`cairn server create`, the demo server). */
const demoCard = (now: Date): Card => ({
  number: '4242424242424242',
  expires_month: 12,
  expires_year: now.getUTCFullYear() + 5,
});

export interface Bought {
  order_id: string;
  server_id: string;
  /** `waiting`: the card needs time, the server is opened when it is through. */
  state: 'paid' | 'waiting';
}

/**
 * Orders a server and pays for it: one transaction places, the processor is asked without any, another settles. The same
 * `op_id` twice is one order and one payment. Without a card the test processor takes its own, any other refuses. Refuses what
 * `placeOrder` does, `card_unknown`, `card_expired` and `payment_declined`.
 */
export async function buy(
  till: Till,
  actor: Actor,
  input: OrderInput,
  card: Card | null,
  now: Date,
): Promise<Bought> {
  const { sql, payments, board } = till;
  const given = card ?? (payments.test ? demoCard(now) : null);
  const method =
    given && payments.enabled && input.plan !== 'trial' ? await payments.method(given, now) : null;
  const placed = await sql.begin(async (tx) => {
    const made = await placeOrder(tx, actor, input, { payments, method }, now);
    if (!made.charge_id) await board.send(tx, 'open_server', { order_id: made.order_id });
    return made;
  });
  const { order_id, server_id, charge_id } = placed;
  if (!charge_id) return { order_id, server_id, state: 'paid' };
  return { order_id, server_id, state: await collected(till, charge_id, now) };
}

/** Collects a charge while the user waits. Refuses `payment_declined` and `subscription_ended`. */
async function collected(till: Till, charge_id: string, now: Date): Promise<Bought['state']> {
  const settled = await collect(till, charge_id, now);
  if (settled?.state === 'failed')
    throw new Refused('payment_declined', { reason: settled.failure ?? 'declined' });
  // the subscription ended while the payment was under way: it is given back
  if (settled?.job === 'refund_charge') throw new Refused('subscription_ended');
  return settled?.state === 'waiting' ? 'waiting' : 'paid';
}

/** Sends a charge to the processor and applies the outcome; one that is settled only gives its state. */
export async function collect(till: Till, charge_id: string, now: Date): Promise<Settled | null> {
  const { sql } = till;
  const open = (await markSent(sql, charge_id, now)) ? await openOne(sql, charge_id, now) : null;
  // a settled charge ignores this outcome
  const outcome: Outcome = open
    ? await asked(till, open, now)
    : { intent_id: null, state: 'waiting', failure: null };
  return await sql.begin(async (tx) => await take(tx, till, { id: charge_id }, outcome, now));
}

async function asked({ payments }: Till, { ask, intent_id }: Open, now: Date): Promise<Outcome> {
  if (intent_id) return await payments.look(intent_id, now);
  return ask ? await payments.charge(ask) : { intent_id: null, state: 'failed', failure: 'card_required' };
}

/** Handles a webhook, once: gives false for one that was handled before. Refuses as `Payments.verify` does. */
export async function hear(till: Till, signature: string | null, body: string, now: Date): Promise<boolean> {
  const { sql, payments } = till;
  const secret = await webhookSecret(sql, payments);
  const { id, outcome } = await payments.verify(secret, signature, body, now);
  return await sql.begin(async (tx) => {
    const fresh = await tx`
      insert into webhook_events ${tx({ processor: payments.name, id, received: now })}
      on conflict do nothing returning id`;
    if (fresh.length === 0) return false;
    if (outcome.intent_id) await take(tx, till, { intent_id: outcome.intent_id }, outcome, now);
    return true;
  });
}

async function take(
  tx: Db,
  { board }: Till,
  charge: { id: string } | { intent_id: string },
  outcome: Outcome,
  now: Date,
): Promise<Settled | null> {
  const settled = await settle(tx, charge, outcome, now);
  if (settled?.job === 'open_server') await board.send(tx, 'open_server', { order_id: settled.order_id });
  if (settled?.job === 'refund_charge')
    await board.send(tx, 'refund_charge', { charge_id: settled.charge_id });
  if (settled?.job === 'match_server')
    await board.send(tx, 'match_server', { subscription_id: settled.subscription_id });
  return settled;
}

/** Cancels a server's subscription, see `subscriptions.ts`. */
export async function cancel(till: Till, actor: Actor, server_id: string, now: Date): Promise<void> {
  await till.sql.begin(async (tx) => {
    const { subscription_id, job, charge_id } = await cancelOne(tx, actor, server_id, now);
    if (job) await till.board.send(tx, 'match_server', { subscription_id });
    if (charge_id) await till.board.send(tx, 'refund_charge', { charge_id });
  });
}

/** Takes a subscription up again and pays when that is needed, see `subscriptions.ts`. Refuses `payment_declined` too. */
export async function resubscribe(
  till: Till,
  actor: Actor,
  server_id: string,
  how: { interval: string | null; card: Card | null },
  now: Date,
): Promise<Bought['state']> {
  const { sql, payments } = till;
  const method = how.card && payments.enabled ? await payments.method(how.card, now) : null;
  const { charge_id } = await sql.begin(async (tx) => {
    const method_id = method && (await keepMethod(tx, actor, payments.name, method, now));
    return await resubscribeOne(tx, actor, server_id, { interval: how.interval, method_id, payments }, now);
  });
  return charge_id ? await collected(till, charge_id, now) : 'paid';
}
