import { beginDailyBackups } from '../../hosting/servers/backups/daily.ts';
import { createServer } from '../../hosting/servers/write.ts';
import { Refused } from '../../platform/errors.ts';
import type { Pool } from '../../platform/postgres/sql.ts';
import type { BillingContext } from './checkout.ts';
import { paidOrder } from './read.ts';
import { endAndRefund } from './subscriptions.ts';

/** The result of fulfilling an order: its server, nothing when it is not paid, or why it can never be created. */
export type Fulfilled =
  | { server_id: string }
  | { server_id: null }
  | { server_id: null; refused: string; data: Record<string, unknown> };

/**
 * Creates the server of a paid order, once, with daily backups unless it is a trial. When the server is refused for good the order fails: its subscription ends
 * and the payment is refunded. Refusals that another try can change (a busy database, a full disk) are thrown. For control
 * planes only: they alone write servers.
 */
export async function fulfil(
  { sql, board }: { sql: Pool } & Pick<BillingContext, 'board'>,
  order_id: string,
  now: Date,
): Promise<Fulfilled> {
  const order = await paidOrder(sql, order_id);
  if (!order) return { server_id: null };
  try {
    await sql.begin(async (tx) => {
      await createServer(tx, order);
      if (order.plan !== 'trial') await beginDailyBackups(tx, order.id, now);
    });
    return { server_id: order.id };
  } catch (error) {
    if (!(error instanceof Refused) || error.status >= 500) throw error;
    await sql.begin(async (tx) => {
      const [one] = await tx<Array<{ id: string; order_id: string }>>`
        select id, order_id from subscriptions where order_id = ${order_id} and state <> 'ended' for update`;
      if (!one) return;
      for (const charge_id of await endAndRefund(tx, one, 'failed', now))
        await board.enqueue(tx, 'refund_charge', { charge_id });
    });
    return { server_id: null, refused: error.code, data: error.data };
  }
}
