import { writeStaffNotice } from '#content/staff-notices.ts';
import { notifyOfTrouble } from '#db/messages/staff-notices/check.ts';
import { deleteOldStaffNotices } from '#db/messages/staff-notices/write.ts';
import { defineJob } from './define.ts';

/** Tells staff of failed jobs and of a queue that is later than promised, and forgets notices after 90 days. */
export const notifyStaffJob = defineJob({
  name: 'notify_staff',
  queue: { retryLimit: 1, expireInSeconds: 120, deleteAfterSeconds: 3_600 },
  schedule: { cron: '*/5 * * * *', unique_s: 240 },
  async run({ sql, settings, sealer, now }) {
    const told = await notifyOfTrouble({ sql, settings, sealer, write: writeStaffNotice }, now());
    const deleted = await deleteOldStaffNotices(sql, now());
    return told + deleted > 0 ? { told, deleted } : undefined;
  },
});
