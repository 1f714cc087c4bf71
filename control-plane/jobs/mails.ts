import { mailStaffFactor } from '#db/accounts/sign-in/staff-factor.ts';
import { mailReminders } from '#db/money/billing/mails/reminders.ts';
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

/** Asks new staff without a second factor to set one up before their role counts no more. */
export const mailStaffFactorJob = defineJob({
  name: 'mail_staff_factor',
  queue: { retryLimit: 3, expireInSeconds: 120, deleteAfterSeconds: 3_600 },
  schedule: { cron: '*/10 * * * *', unique_s: 500 },
  async run(context) {
    const mailed = await mailStaffFactor(context.sql, context.mailing, context.now());
    return mailed > 0 ? { mailed } : undefined;
  },
});
