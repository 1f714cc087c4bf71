import { randomUUID } from 'node:crypto';
import type { Db } from '../../platform/postgres/sql.ts';
import { creditNote } from './invoices/write.ts';
import { incomeOf, type Posting, post, postOwn } from './ledger.ts';
import { lowerHalfAfterRefund } from './plus/half.ts';
import { recordRefund } from './record.ts';

/**
 * Why money was given back: `staff` decided so, the payment came too `late`, or what it was for was `undelivered`. Of the
 * last two there is one for each charge, with the id of the charge.
 */
export type RefundCause = 'staff' | 'late' | 'undelivered';

/** What staff add to a refund. */
interface StaffRefundInput {
  id: string;
  op_id: string;
  reason: string;
  takes_service: boolean;
  /** Null for the operator at the machine. */
  actor_id: string | null;
}

/**
 * Gives back a part of a locked charge or all that is left of it, in minor units: the refund, the state of the charge, the
 * ledger, creators' half and the credit note of an invoice that was issued. The caller enqueues `refund_charge`, which sends
 * it to the processor. Gives the id of the refund.
 */
export async function giveBack(
  tx: Db,
  charge: Posting,
  how: { amount_minor: number } & (
    | { cause: 'staff'; by: StaffRefundInput }
    | { cause: 'late' | 'undelivered' }
  ),
  now: Date,
): Promise<string> {
  const { amount_minor, cause } = how;
  const { actor_id, ...row } =
    how.cause === 'staff'
      ? how.by
      : { id: charge.id, op_id: randomUUID(), reason: null, takes_service: false, actor_id: null };
  const refund_id = row.id;
  const common = { charge_id: charge.id, amount_minor, cause, actor_id, created: now };
  await tx`insert into refunds ${tx({ ...row, ...common })}`;
  await tx`
    update charges set state = 'refunded'
    where id = ${charge.id} and amount_minor = (
      select sum(r.amount_minor) from refunds r where r.charge_id = charges.id)`;
  await lowerHalfAfterRefund(tx, charge.id, refund_id, now);
  const part = { ...charge, amount_minor };
  if (cause === 'staff') {
    const entries = [
      { account: `processor:${charge.processor}` as const, amount_minor: -amount_minor },
      { account: await incomeOf(tx, charge), amount_minor },
    ];
    await postOwn(tx, 'refund', [{ reference: refund_id, currency: charge.currency, entries }], now);
  } else await post(tx, 'refund', part, now);
  await creditNote(tx, { charge_id: charge.id, refund_id, amount_minor }, now);
  await recordRefund(tx, part, refund_id, actor_id);
  return refund_id;
}
