import { scheduleServer } from '#db/hosting/servers/schedule.ts';
import { refund } from '#db/money/billing/charges.ts';
import { fulfil } from '#db/money/billing/fulfil.ts';
import { reconcileServer } from '#db/money/billing/reconcile.ts';
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

/** Brings a server in line with its subscription: suspended, resumed, resized, removed. */
export const reconcileServerJob = defineJob({
  name: 'reconcile_server',
  queue: { retryLimit: 20, expireInSeconds: 60 },
  async run({ sql, now }, { subscription_id }) {
    const did = await sql.begin(async (tx) => await reconcileServer(tx, subscription_id, now()));
    return { subscription_id, did };
  },
});

/** Gives back at the processor what was given back in the ledger. What its tries did not send, `run_billing` sends later. */
export const refundChargeJob = defineJob({
  name: 'refund_charge',
  queue: { retryLimit: 50, expireInSeconds: 60 },
  async run({ sql, payments, now }, asked) {
    await refund(sql, payments, asked, now());
    return asked;
  },
});
