import { deleteOldExports } from '#db/accounts/data-export/write.ts';
import { defineJob } from './define.ts';

/** Deletes the files of exports that are older than a week. */
export const deleteOldExportsJob = defineJob({
  name: 'delete_old_exports',
  queue: { retryLimit: 3, expireInSeconds: 600 },
  schedule: { cron: '41 * * * *', unique_s: 1_800 },
  async run(context) {
    const removed = await deleteOldExports(context, context.now());
    return removed > 0 ? { removed } : undefined;
  },
});
