import { refund } from '#db/billing/charges.ts';
import { defineJob } from './define.ts';

/** Refunds a charge for which nothing was delivered. */
export const refundChargeJob = defineJob({
  name: 'refund_charge',
  queue: { retryLimit: 50, expireInSeconds: 60 },
  async run({ sql, payments }, { charge_id }) {
    await refund(sql, payments, charge_id);
    return { charge_id };
  },
});
