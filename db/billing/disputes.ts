import { recordEvent } from '../events/write.ts';
import type { Db } from '../sql.ts';
import { type Posting, post } from './ledger.ts';
import type { Dispute } from './payments.ts';
import { giveHalf, takeHalfBack } from './plus/half.ts';

/**
 * Books what a dispute did to the money of a charge, each step once, and marks the charge. The subscription goes on: staff
 * decide what becomes of the service. A dispute of a payment that is not ours changes nothing.
 */
export async function applyDispute(tx: Db, processor: string, dispute: Dispute, now: Date): Promise<void> {
  const { id, intent_id, state, amount_minor, withdrawn, returned } = dispute;
  const [charge] = await tx<Array<Posting & { dispute: Dispute['state'] | null }>>`
    select id, user_id, processor, amount_minor, currency, dispute from charges
    where intent_id = ${intent_id} and processor = ${processor} for update`;
  if (!charge) return;
  const disputed = { ...charge, amount_minor };
  if (withdrawn && (await post(tx, 'dispute', disputed, now))) await takeHalfBack(tx, charge.id, now);
  if (withdrawn && returned && (await post(tx, 'dispute_won', disputed, now)))
    await giveHalf(tx, charge.id, now);
  // what was read before the decision may be written after it
  if (charge.dispute === state || (charge.dispute !== null && state === 'open')) return;
  await tx`update charges set dispute = ${state}, dispute_id = ${id} where id = ${charge.id}`;
  await recordEvent(tx, {
    name: 'charge.disputed',
    user_id: charge.user_id,
    data: { charge_id: charge.id, amount_minor, currency: charge.currency, state },
  });
}
