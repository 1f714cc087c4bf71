import { dropExpiredTransfers, removeRemains } from '#db/hosting/servers/backups/remains.ts';
import { defineJob } from './define.ts';

/** Backups and transfers in one run: the next run takes the others. */
const max_removed = 500;

/** Removes what deleted backups left at the platform, and what transfers staged that nobody goes on with. */
export const removeBackupsJob = defineJob({
  name: 'remove_backups',
  queue: { retryLimit: 3, expireInSeconds: 600, deleteAfterSeconds: 3_600 },
  schedule: { cron: '45 * * * * *', unique_s: 60 },
  async run({ sql, storage, now }) {
    const backups = await removeRemains(sql, storage, now(), max_removed);
    const transfers = await dropExpiredTransfers(sql, storage, now(), max_removed);
    return backups + transfers > 0 ? { backups, transfers } : undefined;
  },
});
