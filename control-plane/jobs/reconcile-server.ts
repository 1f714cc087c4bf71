import { reconcileServer } from '#db/money/billing/reconcile.ts';
import { defineJob } from './define.ts';

/** Brings a server in line with its subscription: suspended, resumed, resized, removed. */
export const reconcileServerJob = defineJob({
  name: 'reconcile_server',
  queue: { retryLimit: 20, expireInSeconds: 60 },
  async run({ sql, now }, { subscription_id }) {
    const did = await sql.begin(async (tx) => await reconcileServer(tx, subscription_id, now()));
    return { subscription_id, did };
  },
});
