import { sendDue } from '../notification-mails/send-due.ts';
import { defineJob } from './define.ts';

/** Queues the mails of notifications: what is sent at once, and the digests of a day or a week. */
export const mailNotificationsJob = defineJob({
  name: 'mail_notifications',
  queue: { retryLimit: 1, expireInSeconds: 600, deleteAfterSeconds: 3_600 },
  schedule: { cron: '* * * * *', unique_s: 50 },
  async run(context) {
    const queued = await sendDue(context, context.now());
    return queued > 0 ? { queued } : undefined;
  },
});
