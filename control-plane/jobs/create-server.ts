import { scheduleServer } from '#db/hosting/servers/schedule.ts';
import { fulfil } from '#db/money/billing/fulfil.ts';
import { defineJob } from './define.ts';

/** Creates the server of a paid order and schedules it; without room it waits, and the timer tries again. */
export const createServerJob = defineJob({
  name: 'create_server',
  queue: { retryLimit: 20, expireInSeconds: 60 },
  async run({ sql, board, now, log }, { order_id }) {
    const done = await fulfil({ sql, board }, order_id, now());
    if ('refused' in done)
      log.error(
        { order_id, code: done.refused, data: done.data },
        'The server of a paid order was refused; the order failed and was refunded',
      );
    if (done.server_id === null) return { order_id, opened: false };
    const { server_id } = done;
    const { placed } = await sql.begin(async (tx) => await scheduleServer(tx, server_id, now()));
    return { order_id, server_id, placed };
  },
});
