import { recordEvent } from '../../platform/events/write.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { voidUnsent } from './charges.ts';
import { postFee } from './fees.ts';
import { type Posting, post } from './ledger.ts';
import type { Dispute } from './payments.ts';
import { giveHalf, takeHalfBack } from './plus/half.ts';
import { type SubscriptionState, subscriptionMoves } from './rules.ts';
import { startGracePeriod } from './transition.ts';

/**
 * Books what a dispute did to the money of a charge, each step once, and marks the charge. A dispute that is lost stops the
 * subscription: its server is suspended as after a failed payment, and is deleted unless somebody pays again. Gives the
 * subscription whose server the caller has to reconcile, or null. A dispute of a payment that is not ours changes nothing.
 */
export async function applyDispute(
  tx: Db,
  processor: string,
  dispute: Dispute,
  now: Date,
): Promise<string | null> {
  const { id, intent_id, state, amount_minor, withdrawn, returned, fees } = dispute;
  // locks the subscription first, in the order of all of billing
  const [subscription] = await tx<Array<{ id: string; state: SubscriptionState }>>`
    select id, state from subscriptions where id = (
      select subscription_id from charges where intent_id = ${intent_id} and processor = ${processor}) for update`;
  const [charge] = await tx<Array<Posting & { dispute: Dispute['state'] | null }>>`
    select id, user_id, processor, amount_minor, currency, dispute from charges
    where intent_id = ${intent_id} and processor = ${processor} for update`;
  if (!charge || !subscription) return null;
  const disputed = { ...charge, amount_minor };
  if (withdrawn && (await post(tx, 'dispute', disputed, now)))
    await takeHalfBack(tx, charge.id, 'dispute', now);
  if (withdrawn && returned && (await post(tx, 'dispute_won', disputed, now)))
    await giveHalf(tx, charge.id, now);
  if (fees.withdrawn) await postFee(tx, processor, `dispute:${charge.id}`, fees.withdrawn, now);
  if (fees.returned) await postFee(tx, processor, `dispute_won:${charge.id}`, fees.returned, now);
  // what was read before the decision may be written after it
  if (charge.dispute === state || (charge.dispute !== null && state === 'open')) return null;
  await tx`update charges set dispute = ${state}, dispute_id = ${id} where id = ${charge.id}`;
  await recordEvent(tx, {
    name: 'charge.disputed',
    user_id: charge.user_id,
    data: { charge_id: charge.id, amount_minor, currency: charge.currency, state },
  });
  if (state !== 'lost' || !subscriptionMoves[subscription.state].includes('grace')) return null;
  await voidUnsent(tx, subscription.id, now);
  await startGracePeriod(tx, subscription.id, 'payment_failed', now);
  return subscription.id;
}
