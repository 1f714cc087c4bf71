import { Refused } from '../../platform/errors.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { settle } from './charges.ts';
import { type BillingContext, collectCharge, collectOrRefuse } from './checkout.ts';
import type { Method } from './payments.ts';
import { upsertPaymentMethod } from './store-method.ts';

/** What a payment came to. */
export interface Payment {
  state: 'paid' | 'waiting';
  /** Null when nothing was to be paid. */
  charge_id: string | null;
  /** A client secret with which its payer confirms it, see `Outcome`; null for anybody else. */
  confirm: string | null;
  /** The processor gave no answer: what becomes of it is not known yet. */
  unanswered: boolean;
}

/**
 * Collects a charge while its payer waits, with `method` where one is given: that pays in the place of the one before, never
 * beside it. A charge that is settled only says so. Refuses `payment_declined`, `subscription_ended`, `subscription_pending` when it
 * waits and cannot be paid with another method any more, and `payments_unreachable`.
 */
export async function payCharge(
  context: BillingContext,
  actor: Actor,
  charge_id: string | null,
  method: Method | null,
  now: Date,
): Promise<Payment> {
  if (charge_id === null) return { state: 'paid', charge_id, confirm: null, unanswered: false };
  const choice = method && (await choose(context, actor, charge_id, method, now));
  const settled = await collectOrRefuse(context, charge_id, now);
  const state = settled?.state === 'waiting' ? 'waiting' : 'paid';
  if (choice === 'refused' && state === 'waiting') throw new Refused('subscription_pending');
  const [charge] = await context.sql<Array<{ user_id: string }>>`
    select user_id from charges where id = ${charge_id}`;
  if (choice !== null && choice !== 'refused')
    await context.sql`update subscriptions set method_id = ${choice.method_id}
      where id = (select subscription_id from charges where id = ${charge_id})`;
  const confirm = charge?.user_id === actor.user_id ? (settled?.confirm ?? null) : null;
  return { state, charge_id, confirm, unanswered: settled?.unanswered === true };
}

interface Unsettled {
  user_id: string;
  processor: string;
  intent_id: string | null;
  sent: boolean;
  reference: string | null;
}

/** Locks the subscription of a charge first, in the order of all of billing; null when the charge is settled or unknown. */
async function lockUnsettled(tx: Db, charge_id: string): Promise<Unsettled | null> {
  await tx`
    select 1 from subscriptions where id = (select subscription_id from charges where id = ${charge_id}) for update`;
  const [row] = await tx<Unsettled[]>`
    select c.user_id, c.processor, c.intent_id, c.last_tried is not null as sent, m.reference
    from charges c left join payment_methods m on m.id = c.method_id
    where c.id = ${charge_id} and c.state in ('open', 'waiting') for update of c`;
  return row ?? null;
}

/**
 * Lets another method pay a charge that is not settled: `refused` where it did not wait at the processor any more, null where
 * nothing was to be done. What was sent and got no answer cannot be changed: it may have taken money by the method before.
 */
async function choose(
  { sql, payments }: BillingContext,
  actor: Actor,
  charge_id: string,
  method: Method,
  now: Date,
): Promise<{ method_id: string } | 'refused' | null> {
  const chosen = await sql.begin(async (tx) => {
    const one = await lockUnsettled(tx, charge_id);
    if (!one || one.reference === method.reference || one.processor !== payments.name) return null;
    if (one.user_id !== actor.user_id) throw new Refused('payment_method_not_found');
    if (one.sent && one.intent_id === null) throw new Refused('payments_unreachable');
    const method_id = await upsertPaymentMethod(tx, actor, payments.name, method, now);
    if (!one.sent) await tx`update charges set method_id = ${method_id} where id = ${charge_id}`;
    return { method_id, waits: one.sent ? one.intent_id : null };
  });
  if (!chosen?.waits) return chosen;
  const { method_id, waits } = chosen;
  const intent_id = await payments.payInstead({ intent_id: waits, reference: method.reference, now });
  if (intent_id === null) return 'refused';
  // what a webhook has settled meanwhile was paid with it too
  await sql`update charges set ${sql({ intent_id, method_id })} where id = ${charge_id}`;
  return { method_id };
}

/**
 * Takes back a first payment that is not settled, so that another order can take its place: it fails, and its order with it.
 * Refuses `operation_mismatch` when it was paid, `subscription_pending` while that is still open, and `payments_unreachable` when
 * it was sent and got no answer.
 */
export async function takeBack(context: BillingContext, charge_id: string, now: Date): Promise<void> {
  const { sql, payments } = context;
  const waits = await sql.begin(async (tx) => {
    const one = await lockUnsettled(tx, charge_id);
    if (!one) return null;
    if (one.sent && one.intent_id === null) throw new Refused('payments_unreachable');
    if (!one.sent)
      await settle(tx, { id: charge_id }, { intent_id: null, state: 'failed', failure: 'cancelled' }, now);
    return one.sent ? one.intent_id : null;
  });
  if (waits) {
    const intent_id = await payments.cancel(waits, now);
    await sql`update charges set intent_id = ${intent_id} where id = ${charge_id} and state in ('open', 'waiting')`;
  }
  const settled = await collectCharge(context, charge_id, now);
  if (settled?.state === 'waiting') throw new Refused('subscription_pending');
  if (settled?.state !== 'failed') throw new Refused('operation_mismatch');
}
