import { paidOrder } from '#db/billing/read.ts';
import { place } from '#db/servers/place.ts';
import { openServer } from '#db/servers/write.ts';
import type { Job } from './run.ts';

/** Makes the server of a paid order and gives it a place; without room it waits, and the timer tries again. */
export const openServerJob: Job<'open_server'> = async ({ sql, now }, { order_id }) => {
  const order = await paidOrder(sql, order_id);
  if (!order) return { order_id, opened: false };
  await sql.begin(async (tx) => await openServer(tx, order));
  const { placed } = await sql.begin(async (tx) => await place(tx, order.id, now()));
  return { order_id, server_id: order.id, placed };
};
