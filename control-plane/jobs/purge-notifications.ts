import { purgeNotifications } from '#db/messages/notifications/retention.ts';
import { defineJob } from './define.ts';

/** Deletes notifications that are older than they are kept. */
export const purgeNotificationsJob = defineJob({
  name: 'purge_notifications',
  queue: { retryLimit: 3, expireInSeconds: 600 },
  schedule: { cron: '57 3 * * *', unique_s: 3_600 },
  run: async ({ sql, now }) => ({ removed: await purgeNotifications(sql, now()) }),
});
