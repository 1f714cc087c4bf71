import { deleteExpiredCounters } from '#db/expired-counters.ts';
import { deleteExpiredFlows } from '#db/flows/write.ts';
import { deleteUnusedImages } from '#db/images/claim.ts';
import { dropEndedSessions } from '#db/people/session.ts';
import { defineJob } from './define.ts';

/** Deletes sessions that ended, expired flows, counters of windows that are over, and images of no text. */
export const deleteExpired = defineJob({
  name: 'delete_expired',
  queue: { retryLimit: 3, expireInSeconds: 600 },
  schedule: { cron: '*/10 * * * *', unique_s: 300 },
  async run({ sql, now }) {
    await dropEndedSessions(sql, now());
    const images = await deleteUnusedImages(sql, now());
    const flows = await deleteExpiredFlows(sql, now());
    return { ...(await deleteExpiredCounters(sql)), flows, images };
  },
});
