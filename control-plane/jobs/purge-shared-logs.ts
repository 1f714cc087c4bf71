import { purgeSharedLogs } from '#db/hosting/servers/logs/write.ts';
import { defineJob } from './define.ts';

/** Each call of `purgeSharedLogs` deletes one chunk, so that no lock is held long. */
const max_chunks = 50;

/** Deletes shared logs that have ended: nobody sees them from their end on, and this frees their bytes. */
export const purgeSharedLogsJob = defineJob({
  name: 'purge_shared_logs',
  queue: { retryLimit: 3, expireInSeconds: 600 },
  schedule: { cron: '11,41 * * * *', unique_s: 900 },
  async run({ sql, now }) {
    let removed = 0;
    for (let chunk = 0; chunk < max_chunks; chunk++) {
      const count = await purgeSharedLogs(sql, now());
      removed += count;
      if (count === 0) break;
    }
    return { removed };
  },
});
