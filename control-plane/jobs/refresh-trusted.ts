import { refreshTrusted } from '#db/moderation/technical-review/trusted.ts';
import { defineJob } from './define.ts';

/** Brings the trusted creators up to date with their records. */
export const refreshTrustedJob = defineJob({
  name: 'refresh_trusted',
  queue: { retryLimit: 3, expireInSeconds: 600 },
  schedule: { cron: '12 4 * * *', unique_s: 3_600 },
  async run({ sql, now }) {
    const { came, went } = await refreshTrusted(sql, now());
    return came + went > 0 ? { came, went } : undefined;
  },
});
