import { paidOrder } from '#db/billing/read.ts';
import { place } from '#db/servers/place.ts';
import { openServer } from '#db/servers/write.ts';
import { defineJob } from './define.ts';

/** Creates the server of a paid order and schedules it; without room it waits, and the timer tries again. */
export const openServerJob = defineJob({
  name: 'open_server',
  queue: { retryLimit: 20, expireInSeconds: 60 },
  async run({ sql, now }, { order_id }) {
    const order = await paidOrder(sql, order_id);
    if (!order) return { order_id, opened: false };
    await sql.begin(async (tx) => await openServer(tx, order));
    const { placed } = await sql.begin(async (tx) => await place(tx, order.id, now()));
    return { order_id, server_id: order.id, placed };
  },
});
