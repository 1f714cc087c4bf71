import { deleteExpiredTokens } from '#db/accounts/oauth/token.ts';
import { deleteExpiredUploads } from '#db/catalogue/uploads/write.ts';
import { deleteUnusedImages } from '#db/messages/images/claim.ts';
import { deleteOldMails } from '#db/messages/mail/outbox.ts';
import { deleteExpiredFlows } from '#db/platform/flows/write.ts';
import { dropEndedSessions } from '#db/platform/people/session.ts';
import { deleteExpiredCounters } from '#db/platform/postgres/expired-counters.ts';
import { defineJob } from './define.ts';

/** Deletes sessions that ended, expired flows (such as codes for apps) and access tokens of apps, counters of windows that are
 * over, images of no text, uploads that nobody continued for a day, and mails after 30 days. */
export const deleteExpired = defineJob({
  name: 'delete_expired',
  queue: { retryLimit: 3, expireInSeconds: 600 },
  schedule: { cron: '*/10 * * * *', unique_s: 300 },
  async run({ sql, storage, now }) {
    await dropEndedSessions(sql, now());
    const images = await deleteUnusedImages(sql, now());
    const flows = await deleteExpiredFlows(sql, now());
    const app_tokens = await deleteExpiredTokens(sql, now());
    const mails = await deleteOldMails(sql, now());
    const uploads = await deleteExpiredUploads(sql, storage, now());
    return { ...(await deleteExpiredCounters(sql)), app_tokens, flows, images, mails, uploads };
  },
});
