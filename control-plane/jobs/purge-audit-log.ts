import { purgeAuditLog } from '#db/moderation/audit/retention.ts';
import { defineJob } from './define.ts';

/** Deletes entries of the audit log that are older than its retention. */
export const purgeAuditLogJob = defineJob({
  name: 'purge_audit_log',
  queue: { retryLimit: 3, expireInSeconds: 600 },
  schedule: { cron: '52 3 * * *', unique_s: 3_600 },
  run: async ({ sql, now }) => ({ removed: await purgeAuditLog(sql, now()) }),
});
