import { divideRevenue } from '#db/billing/revenue/divide.ts';
import { releaseRevenue } from '#db/billing/revenue/release.ts';
import { defineJob } from './define.ts';

/** Divides the income of past days among creators, and credits them with months whose release has come. */
export const shareRevenueJob = defineJob({
  name: 'share_revenue',
  queue: { retryLimit: 3, expireInSeconds: 900 },
  // hourly, though a day is divided once: income may be entered at any time
  schedule: { cron: '20 * * * *', unique_s: 600 },
  async run({ sql, now }) {
    const divided = await divideRevenue(sql, now());
    const released = await releaseRevenue(sql, now());
    return divided.days + released.months === 0 ? undefined : { ...divided, ...released };
  },
});
