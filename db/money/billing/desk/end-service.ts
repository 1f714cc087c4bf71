import { assertAllowed, Refused } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/write.ts';
import type { JobQueue } from '../../../platform/jobs/queue.ts';
import { type Actor, accountOf } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { settle } from '../charges.ts';
import { cancelLockedPlus } from '../plus-orders/write.ts';
import { whyNotManageBilling } from '../refunds/rules.ts';
import type { SubscriptionState } from '../rules.ts';
import { reasonOf, takeService } from '../staff-refunds/write.ts';
import { voidToCancel } from '../subscriptions.ts';
import { startGracePeriod, transition } from '../transition.ts';

/** What staff do with a service without giving money back. */
export const serviceSteps = ['take', 'cancel', 'void'] as const;
export type ServiceStep = (typeof serviceSteps)[number];

const names = { take: 'service.taken', cancel: 'service.cancelled', void: 'charge.voided' } as const;

interface Subscription {
  id: string;
  user_id: string;
  product: 'server' | 'plus';
  state: SubscriptionState;
}

/**
 * Ends a service, and gives nothing back. `take` ends it now and deletes its server; one that has ended stays as it is.
 * `cancel` ends it with the paid period, as its owner does; one whose payment failed ends now, a server after its grace
 * period. `void` gives up a charge that was not sent yet: an order that was never paid ends, a renewal is tried again. The
 * audit log keeps the reason. Refuses `admins_only`, `reason_required`, `not_found`, `subscription_pending`,
 * `subscription_cancelled`, and `charge_sent` where no charge waits to be sent.
 */
export async function endServiceByStaff(
  tx: Db,
  board: Pick<JobQueue, 'enqueue'>,
  actor: Actor,
  input: { subscription_id: string; step: ServiceStep; reason: string },
  now: Date,
): Promise<void> {
  assertAllowed(whyNotManageBilling(actor));
  const reason = reasonOf(input.reason);
  const { subscription_id, step } = input;
  const [one] = await tx<Subscription[]>`
    select id, user_id, product, state from subscriptions where id = ${subscription_id} for update`;
  if (!one) throw new Refused('not_found');
  const charge_id = step === 'void' ? await voidCharge(tx, one, now) : null;
  if (step === 'take') await takeService(tx, board, one.id, now);
  if (step === 'cancel') await cancelService(tx, board, one, now);
  await recordEvent(tx, {
    ...{ name: names[step], actor_id: accountOf(actor), user_id: one.user_id },
    data: { subscription_id, charge_id, reason },
  });
}

/** The subscription that a charge is of, for `endServiceByStaff`. Refuses `charge_not_found`. */
export async function subscriptionOfCharge(db: Db, charge_id: string): Promise<string> {
  const [charge] = await db<Array<{ subscription_id: string }>>`
    select subscription_id from charges where id = ${charge_id}`;
  if (!charge) throw new Refused('charge_not_found');
  return charge.subscription_id;
}

async function cancelService(
  tx: Db,
  board: Pick<JobQueue, 'enqueue'>,
  one: Subscription,
  now: Date,
): Promise<void> {
  if (one.product === 'plus') return await cancelLockedPlus(tx, one, now);
  await voidToCancel(tx, one, now);
  if (one.state === 'failed') {
    await startGracePeriod(tx, one.id, 'payment_failed', now);
    await board.enqueue(tx, 'reconcile_server', { subscription_id: one.id });
  } else await transition(tx, one.id, 'cancelled');
}

/** Settles the charge that was not sent as one that failed, with all that follows from that. Gives the charge. */
async function voidCharge(tx: Db, { id }: Subscription, now: Date): Promise<string> {
  const [charge] = await tx<Array<{ id: string }>>`
    select id from charges where subscription_id = ${id} and state = 'open' and last_tried is null
    order by created, id limit 1 for update`;
  if (!charge) throw new Refused('charge_sent');
  await settle(tx, charge, { intent_id: null, state: 'failed', failure: 'cancelled' }, now);
  return charge.id;
}
