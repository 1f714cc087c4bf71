import { checkPayout, duePayouts } from '#db/money/payouts/send.ts';
import { returnTrials } from '#db/money/payouts/trials.ts';
import { forgetOldEvents } from '#db/money/payouts/webhook.ts';
import { defineJob } from './define.ts';

/** So many in one run; the next run takes the rest. */
const max_each = 200;

/**
 * Asks providers what became of open payouts, sends those that they never got, ends those that nobody takes, and returns
 * what was withdrawn while only a test provider was in use.
 */
export const settlePayoutsJob = defineJob({
  name: 'settle_payouts',
  queue: { retryLimit: 3, expireInSeconds: 600 },
  schedule: { cron: '*/2 * * * *', unique_s: 100 },
  async run({ sql, payouts, now, log }) {
    const context = { sql, providers: payouts, log };
    const due = await duePayouts(context, now(), max_each);
    // one that fails must not hold up the others
    for (const id of due)
      await checkPayout(context, id, now()).catch((err) =>
        log.error({ err, id }, 'A payout could not be checked'),
      );
    const trials = await returnTrials(context, now(), max_each);
    const forgotten = await forgetOldEvents(sql, now());
    return due.length + trials + forgotten === 0 ? undefined : { checked: due.length, trials, forgotten };
  },
});
