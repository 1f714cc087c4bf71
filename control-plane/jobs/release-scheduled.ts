import { releaseDue } from '#db/catalogue/publishing/release.ts';
import { defineJob } from './define.ts';

/** Releases projects and versions whose scheduled time has come. */
export const releaseScheduledJob = defineJob({
  name: 'release_scheduled',
  queue: { retryLimit: 3, expireInSeconds: 300, deleteAfterSeconds: 3_600 },
  schedule: { cron: '* * * * *', unique_s: 50 },
  async run({ sql, now }) {
    const released = await releaseDue(sql, now());
    return released > 0 ? { released } : undefined;
  },
});
