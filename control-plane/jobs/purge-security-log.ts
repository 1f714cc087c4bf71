import { purgeSecurityLog } from '#db/platform/security-log/read.ts';
import { defineJob } from './define.ts';

/** Deletes what happened to the security of accounts more than 13 months ago. */
export const purgeSecurityLogJob = defineJob({
  name: 'purge_security_log',
  queue: { retryLimit: 3, expireInSeconds: 600 },
  schedule: { cron: '47 3 * * *', unique_s: 3_600 },
  run: async ({ sql, now }) => ({ removed: await purgeSecurityLog(sql, now()) }),
});
