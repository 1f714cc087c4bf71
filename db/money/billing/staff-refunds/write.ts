import { assertAllowed, Refused } from '../../../platform/errors.ts';
import { newId } from '../../../platform/id.ts';
import type { JobQueue } from '../../../platform/jobs/queue.ts';
import { type Actor, accountOf, whyNotProved } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { voidUnsent } from '../charges.ts';
import { giveBack } from '../give-back.ts';
import type { Posting } from '../ledger.ts';
import type { Payments } from '../payments.ts';
import {
  maxReason,
  type RefundFacts,
  refundable,
  whyNotManageBilling,
  whyNotRefund,
} from '../refunds/rules.ts';
import type { SubscriptionState } from '../rules.ts';
import { transition } from '../transition.ts';

export interface RefundInput {
  /** Idempotency key: the same one twice is one refund, and nothing else can be asked for with it. */
  op_id: string;
  charge_id: string;
  /** In minor units; null gives back all that is left. */
  amount_minor: number | null;
  /** What had been given back when it was decided; null does not ask. */
  seen_minor: number | null;
  reason: string;
  /** Whether the service ends now. */
  takes_service: boolean;
}

/** Where refunds are given: the job queue, and the processor that this installation has now. */
interface RefundDesk {
  board: Pick<JobQueue, 'enqueue'>;
  payments: Pick<Payments, 'name'>;
}

interface Locked extends Posting, RefundFacts {
  currency: RefundFacts['currency'];
  subscription_id: string;
}

/**
 * Gives back a part of a charge or all that is left of it: ledger and credit note at once, the processor by the job
 * `refund_charge`, which is enqueued in the same transaction. Takes the service too where asked. Gives the refund. Refuses
 * `admins_only`, `proof_required`, `charge_not_found`, `reason_required`, `refund_processor` (it was paid with another one), `refund_disputed`,
 * `refund_unpaid`, `refund_meanwhile`, `refund_amount`, `refund_too_much`, and `operation_mismatch` for an `op_id` of
 * another charge, amount or service.
 */
export async function refundByStaff(
  tx: Db,
  { board, payments }: RefundDesk,
  actor: Actor,
  input: RefundInput,
  now: Date,
): Promise<{ refund_id: string; amount_minor: number }> {
  assertAllowed(whyNotManageBilling(actor) ?? whyNotProved(actor, now));
  const reason = reasonOf(input.reason);
  const { op_id, charge_id, takes_service } = input;
  const charge = await lockCharge(tx, charge_id);
  const [before] = await tx<Array<Refunded>>`
    select id, charge_id, amount_minor, takes_service from refunds where op_id = ${op_id}`;
  if (before) {
    if (!isSame(before, input, charge)) throw new Refused('operation_mismatch');
    return { refund_id: before.id, amount_minor: before.amount_minor };
  }
  // nobody could send it
  if (charge.processor !== payments.name)
    throw new Refused('refund_processor', { processor: charge.processor });
  const amount_minor = input.amount_minor ?? refundable(charge);
  assertAllowed(whyNotRefund(charge, amount_minor, input.seen_minor ?? charge.given_minor), {
    left: refundable(charge),
  });
  const by = { id: newId(), op_id, reason, takes_service, actor_id: accountOf(actor) };
  const refund_id = await giveBack(tx, charge, { amount_minor, cause: 'staff', by }, now);
  await board.enqueue(tx, 'refund_charge', { charge_id, refund_id });
  if (takes_service) await takeService(tx, board, charge.subscription_id, now);
  return { refund_id, amount_minor };
}

type Refunded = Pick<RefundInput, 'charge_id' | 'takes_service'> & { id: string; amount_minor: number };

/** Whether a refund is what is asked for again: all that was left, too, when nothing is left since. */
const isSame = (before: Refunded, asked: RefundInput, { amount_minor, given_minor }: RefundFacts): boolean =>
  before.charge_id === asked.charge_id &&
  before.takes_service === asked.takes_service &&
  (asked.amount_minor === null ? given_minor === amount_minor : before.amount_minor === asked.amount_minor);

/** The reason as it is kept. Refuses `reason_required`. */
export function reasonOf(text: string): string {
  const reason = text.replace(/\s+/g, ' ').trim();
  if (reason === '' || reason.length > maxReason) throw new Refused('reason_required', { most: maxReason });
  return reason;
}

/** Locks the subscription of a charge first, in the order of all of billing. Refuses `charge_not_found`. */
async function lockCharge(tx: Db, charge_id: string): Promise<Locked> {
  await tx`
    select 1 from subscriptions where id = (select subscription_id from charges where id = ${charge_id}) for update`;
  const [charge] = await tx<Locked[]>`
    select c.id, c.user_id, c.processor, c.amount_minor, c.currency, c.state, c.dispute, c.subscription_id,
      (select coalesce(sum(r.amount_minor), 0)::bigint from refunds r where r.charge_id = c.id) as given_minor
    from charges c where c.id = ${charge_id} for update of c`;
  if (!charge) throw new Refused('charge_not_found');
  return charge;
}

/** Ends a subscription at once, and with it its server. One that has ended stays as it is. */
export async function takeService(
  tx: Db,
  board: Pick<JobQueue, 'enqueue'>,
  subscription_id: string,
  now: Date,
): Promise<void> {
  const [one] = await tx<Array<{ state: SubscriptionState }>>`
    select state from subscriptions where id = ${subscription_id} for update`;
  if (!one || one.state === 'ended') return;
  await voidUnsent(tx, subscription_id, now);
  await transition(tx, subscription_id, 'ended', { next_attempt: null, grace_until: null });
  await tx`
    update orders set state = 'refunded'
    where id = (select order_id from subscriptions where id = ${subscription_id}) and state in ('pending', 'paid')
      and not exists (select 1 from servers s where s.id = orders.server_id)`;
  await board.enqueue(tx, 'reconcile_server', { subscription_id });
}
