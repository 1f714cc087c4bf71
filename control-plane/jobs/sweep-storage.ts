import { sweep } from '#db/files/sweep.ts';
import { defineJob } from './define.ts';

/** Removes stored files that belong to nothing. */
export const sweepStorage = defineJob({
  name: 'sweep_storage',
  queue: { retryLimit: 3, expireInSeconds: 3_600 },
  schedule: { cron: '17 3 * * *', unique_s: 3_600 },
  run: async ({ sql, storage, now }) => ({ ...(await sweep(sql, storage, now())) }),
});
