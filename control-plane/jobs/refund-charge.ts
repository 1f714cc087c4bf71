import { refund } from '#db/money/billing/charges.ts';
import { defineJob } from './define.ts';

/** Gives back at the processor what was given back in the ledger. What its tries did not send, `run_billing` sends later. */
export const refundChargeJob = defineJob({
  name: 'refund_charge',
  queue: { retryLimit: 50, expireInSeconds: 60 },
  async run({ sql, payments, now }, asked) {
    await refund(sql, payments, asked, now());
    return asked;
  },
});
