import { recordEvent } from '../events/write.ts';
import type { Db } from '../sql.ts';
import type { Posting } from './ledger.ts';

/** Records what became of a charge, for its payer. */
export const recordCharge = async (
  tx: Db,
  name: 'charge.succeeded' | 'charge.failed' | 'charge.refunded',
  { id, user_id, amount_minor, currency }: Posting,
  actor_id: string | null = null,
): Promise<void> =>
  await recordEvent(tx, { name, actor_id, user_id, data: { charge_id: id, amount_minor, currency } });
