import { Refused } from '#db/platform/errors.ts';
import { collectGarbage } from '#db/platform/files/garbage-collect.ts';
import { defineJob } from './define.ts';

/** Moves stored files that belong to nothing to the trash. Logs an error when that must not happen. */
export const sweepStorage = defineJob({
  name: 'sweep_storage',
  queue: { retryLimit: 3, expireInSeconds: 3_600 },
  schedule: { cron: '17 3 * * *', unique_s: 3_600 },
  run: async ({ sql, storage, log, now }) => {
    try {
      return { ...(await collectGarbage(sql, storage, now())) };
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 409) throw error;
      log.error({ code: error.code, ...error.data }, `Garbage collection refused: ${error.message}`);
      return undefined;
    }
  },
});
