import { expireOperations } from '#db/hosting/servers/operations/operations.ts';
import { defineJob } from './define.ts';

/** Ends operations that no agent accepted in time. */
export const expireOperationsJob = defineJob({
  name: 'expire_operations',
  queue: { retryLimit: 3, expireInSeconds: 60, deleteAfterSeconds: 3_600 },
  schedule: { cron: '*/10 * * * * *', unique_s: 10 },
  async run({ sql, now }) {
    const expired = await expireOperations(sql, now());
    return expired > 0 ? { expired } : undefined;
  },
});
