import { newId } from '../id.ts';
import type { Db } from '../sql.ts';
import { type Booked, book } from './ledger.ts';
import { move } from './move.ts';
import type { ChargeAsk, Outcome, Payments } from './payments.ts';
import { addDays, retryDays, type SubscriptionState } from './rules.ts';

export type ChargeReason = 'first' | 'renewal' | 'again';

/** Opens a charge for one period and invoices it; the processor is asked after the commit, with its id as the key. */
export async function openCharge(
  tx: Db,
  ask: {
    subscription_id: string;
    reason: ChargeReason;
    processor: string;
    period_start: Date;
    period_end: Date;
  },
  now: Date,
): Promise<string> {
  const { subscription_id, reason, processor, period_start, period_end } = ask;
  const [charge] = await tx<Booked[]>`
    insert into charges (id, subscription_id, user_id, method_id, reason, state, amount_minor, currency, period_start,
      period_end, processor, created)
    select ${newId()}, id, user_id, method_id, ${reason}, 'open', price_minor, currency, ${period_start}, ${period_end},
      ${processor}, ${now} from subscriptions where id = ${subscription_id}
    returning id, user_id, processor, amount_minor, currency`;
  await book(tx, 'invoice', charge!, now);
  return charge!.id;
}

interface OpenCharge extends Booked {
  subscription_id: string;
  reason: ChargeReason;
  state: string;
  period_start: string;
  period_end: string;
  intent_id: string | null;
  reference: string;
}

/** What the processor has to be asked for a charge that is not settled; `ask` is null when there is no card to charge. */
export interface Open {
  ask: ChargeAsk | null;
  intent_id: string | null;
}
/** An open charge, or null for one that is settled or unknown. */
export async function openOne(db: Db, charge_id: string, now: Date): Promise<Open | null> {
  const [row] = await db<Array<Omit<OpenCharge, 'reference'> & { reference: string | null }>>`
    select c.amount_minor, c.currency, c.reason, c.intent_id, m.reference
    from charges c left join payment_methods m on m.id = c.method_id
    where c.id = ${charge_id} and c.state in ('open', 'waiting')`;
  if (!row) return null;
  const { amount_minor, currency, reference, intent_id } = row;
  const unattended = row.reason === 'renewal';
  return {
    ask: reference === null ? null : { key: charge_id, amount_minor, currency, reference, unattended, now },
    intent_id,
  };
}

/** What follows a settled charge, for the caller to put up in the same transaction. */
export interface Settled {
  state: string;
  failure: string | null;
  job: 'open_server' | 'match_server' | null;
  order_id: string;
  subscription_id: string;
}

/**
 * Takes in what the processor said of a charge: ledger, order and subscription follow. Twice changes nothing, nor does
 * anything after the end. Gives null for an unknown charge.
 */
export async function settle(
  tx: Db,
  charge: { id: string } | { intent_id: string },
  outcome: Outcome,
  now: Date,
): Promise<Settled | null> {
  const [row] = await tx<Array<OpenCharge & { order_id: string; failure: string | null }>>`
    select c.*, s.order_id from charges c join subscriptions s on s.id = c.subscription_id
    where ${'id' in charge ? tx`c.id = ${charge.id}` : tx`c.intent_id = ${charge.intent_id}`} for update of c, s`;
  if (!row) return null;
  const { order_id, subscription_id } = row;
  const told = { order_id, subscription_id };
  if (row.state !== 'open' && row.state !== 'waiting')
    return { state: row.state, failure: row.failure, job: null, ...told };
  const { state, failure, intent_id } = outcome;
  const settled = state === 'waiting' ? null : now;
  await tx`update charges set ${tx({ state, failure, intent_id, settled })} where id = ${row.id}`;
  if (state === 'waiting') return { state, failure, job: null, ...told };
  await book(tx, state === 'succeeded' ? 'payment' : 'void', row, now);
  const job = state === 'succeeded' ? await paid(tx, row) : await unpaid(tx, row, now);
  return { state, failure, job, ...told };
}

async function paid(tx: Db, charge: OpenCharge & { order_id: string }): Promise<Settled['job']> {
  const { reason, subscription_id, period_start, period_end } = charge;
  const fresh = { attempts: 0, next_attempt: null, grace_reason: null, grace_until: null };
  await move(tx, subscription_id, 'active', { ...fresh, period_start, period_end });
  if (reason !== 'renewal')
    await tx`update subscriptions set anchor = ${period_start} where id = ${subscription_id}`;
  if (reason !== 'first') return 'match_server';
  await tx`update orders set state = 'paid' where id = ${charge.order_id}`;
  return 'open_server';
}

async function unpaid(
  tx: Db,
  { reason, subscription_id, order_id }: OpenCharge & { order_id: string },
  now: Date,
): Promise<Settled['job']> {
  if (reason === 'again') return null;
  if (reason === 'first') {
    await tx`update orders set state = 'failed' where id = ${order_id}`;
    await move(tx, subscription_id, 'ended');
    return null;
  }
  const [row] = await tx<Array<{ attempts: number; state: SubscriptionState }>>`
    select attempts, state from subscriptions where id = ${subscription_id}`;
  const { attempts } = row!;
  const days = retryDays[attempts];
  const next_attempt = days === undefined ? null : addDays(now, days);
  await move(tx, subscription_id, 'failed', { attempts: attempts + 1, next_attempt });
  return null;
}

/** Asks the processor to give back a charge that the ledger has given back; its id is the key, so once. */
export async function refund(db: Db, payments: Payments, id: string): Promise<void> {
  const [row] = await db<Array<{ intent_id: string; amount_minor: number }>>`
    select intent_id, amount_minor from charges where id = ${id} and state = 'refunded'`;
  if (row) await payments.refund({ key: id, ...row });
}
