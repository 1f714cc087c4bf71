import { purgeHosting } from '#db/hosting/servers/observe.ts';
import { defineJob } from './define.ts';

/** Each call of `purgeHosting` deletes one chunk, so that no lock is held long. */
const max_chunks = 200;

/** Deletes agents' events and operations that are older than they are kept. */
export const purgeHostingJob = defineJob({
  name: 'purge_hosting',
  queue: { retryLimit: 3, expireInSeconds: 600 },
  schedule: { cron: '27 3 * * *', unique_s: 3_600 },
  async run({ sql, now }) {
    let removed = 0;
    for (let chunk = 0; chunk < max_chunks; chunk++) {
      const count = await purgeHosting(sql, now());
      removed += count;
      if (count === 0) break;
    }
    return { removed };
  },
});
