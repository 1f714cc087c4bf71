import { purgeEvents } from '#db/platform/events/retention.ts';
import { defineJob } from './define.ts';

/** Deletes events that are older than they are kept. */
export const purgeEventsJob = defineJob({
  name: 'purge_events',
  queue: { retryLimit: 3, expireInSeconds: 600 },
  schedule: { cron: '47 3 * * *', unique_s: 3_600 },
  run: async ({ sql, now }) => ({ removed: await purgeEvents(sql, now()) }),
});
