import { checkAlerts, removeOldAlerts } from '#db/hosting/server-alerts/check.ts';
import { defineJob } from './define.ts';

/** Begins and ends alerts of servers by what they used and how they are. */
export const checkAlertsJob = defineJob({
  name: 'check_alerts',
  queue: { retryLimit: 1, expireInSeconds: 50, deleteAfterSeconds: 3_600 },
  schedule: { cron: '20 * * * * *', unique_s: 50 },
  async run({ sql, now }) {
    const counts = await checkAlerts(sql, now());
    const removed = await removeOldAlerts(sql, now());
    return counts.began + counts.ended + removed > 0 ? { ...counts, removed } : undefined;
  },
});
