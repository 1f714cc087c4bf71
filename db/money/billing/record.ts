import { recordEvent } from '../../platform/events/write.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { Posting } from './ledger.ts';

/** Records what became of a charge, for its payer. */
export const recordCharge = async (
  tx: Db,
  name: 'charge.succeeded' | 'charge.failed',
  { id, user_id, amount_minor, currency }: Posting,
): Promise<void> => await recordEvent(tx, { name, user_id, data: { charge_id: id, amount_minor, currency } });

/** Records that a part of a charge was given back, or all of it; `actor_id` is null for the operator and for jobs. */
export const recordRefund = async (
  tx: Db,
  { id, user_id, amount_minor, currency }: Posting,
  refund_id: string,
  actor_id: string | null = null,
): Promise<void> =>
  await recordEvent(tx, {
    ...{ name: 'charge.refunded', actor_id, user_id },
    data: { charge_id: id, refund_id, amount_minor, currency },
  });
