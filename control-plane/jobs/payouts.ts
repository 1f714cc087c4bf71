import { reconcilePayouts } from '#db/money/payouts/reconcile.ts';
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

const hour_ms = 3_600_000;

/**
 * Compares the payouts of the last month with their providers' books. Differences are logged as errors, for the operator;
 * `cairn payouts reconcile` tells the same. Lists of providers are hours behind.
 */
export const reconcilePayoutsJob = defineJob({
  name: 'reconcile_payouts',
  queue: { retryLimit: 3, expireInSeconds: 1800 },
  schedule: { cron: '40 5 * * *', unique_s: 20 * 3600 },
  async run({ sql, payouts, now, log }) {
    const until = new Date(now().getTime() - 4 * hour_ms);
    const range = { from: new Date(until.getTime() - 31 * 24 * hour_ms), until };
    const compared = [];
    for (const provider of payouts) {
      // one that cannot be reached does not keep the others from being compared
      const report = await reconcilePayouts(sql, [provider], range).catch((err: unknown) => {
        log.warn({ err, provider: provider.name }, 'A provider of payouts could not be compared');
        return null;
      });
      if (!report) continue;
      if (report.lines.length > 0)
        log.error({ ...report }, 'A provider of payouts has other payouts than this site');
      compared.push(...report.providers);
    }
    return compared.length > 0 ? { compared } : undefined;
  },
});
