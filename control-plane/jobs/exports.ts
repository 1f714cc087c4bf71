import { deleteOldExports, failExport, makeExport } from '#db/accounts/data-export/write.ts';
import { defineJob } from './define.ts';

/** Makes the file of an export of a user's data. */
export const exportDataJob = defineJob({
  name: 'export_data',
  queue: { retryLimit: 2, expireInSeconds: 1_800 },
  async run(context, { export_id }) {
    try {
      return { size: await makeExport(context, export_id, context.now()) };
    } catch (error) {
      await failExport(context.sql, export_id);
      throw error;
    }
  },
});

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
