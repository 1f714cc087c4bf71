import { notifyDueNotices } from '#db/hosting/notices/write.ts';
import { defineJob } from './define.ts';

/** Control planes have timers of their own for notices that begin or end; this serves one that was delayed. */
export const noticesDue = defineJob({
  name: 'notices_due',
  queue: { retryLimit: 3, expireInSeconds: 60, deleteAfterSeconds: 3_600 },
  schedule: { cron: '* * * * *', unique_s: 50 },
  async run({ sql, now }) {
    await notifyDueNotices(sql, now());
    return undefined;
  },
});
