import { mailReminders } from '#db/money/billing/mails/reminders.ts';
import { defineJob } from './define.ts';

/** Reminds who pays of a yearly renewal, and of the last day of a suspended server. */
export const mailRemindersJob = defineJob({
  name: 'mail_reminders',
  queue: { retryLimit: 3, expireInSeconds: 120, deleteAfterSeconds: 3_600 },
  schedule: { cron: '*/10 * * * *', unique_s: 500 },
  async run(context) {
    const mailed = await mailReminders(context.sql, context.mailing, context.now());
    return mailed > 0 ? { mailed } : undefined;
  },
});
