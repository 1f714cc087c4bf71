import { mailStaffFactor } from '#db/accounts/sign-in/staff-factor.ts';
import { defineJob } from './define.ts';

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
