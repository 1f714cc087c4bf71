import { purgeSharedLogs } from '#db/hosting/servers/logs/write.ts';
import { purgeHosting } from '#db/hosting/servers/observe.ts';
import { purgeNotifications } from '#db/messages/notifications/retention.ts';
import { purgeAuditLog } from '#db/moderation/audit/retention.ts';
import { purgeEvents } from '#db/platform/events/retention.ts';
import { purgeSecurityLog } from '#db/platform/security-log/read.ts';
import { defineJob } from './define.ts';

/** Deletes events that are older than they are kept. */
export const purgeEventsJob = defineJob({
  name: 'purge_events',
  queue: { retryLimit: 3, expireInSeconds: 600 },
  schedule: { cron: '47 3 * * *', unique_s: 3_600 },
  run: async ({ sql, now }) => ({ removed: await purgeEvents(sql, now()) }),
});

/** Deletes entries of the audit log that are older than its retention. */
export const purgeAuditLogJob = defineJob({
  name: 'purge_audit_log',
  queue: { retryLimit: 3, expireInSeconds: 600 },
  schedule: { cron: '52 3 * * *', unique_s: 3_600 },
  run: async ({ sql, now }) => ({ removed: await purgeAuditLog(sql, now()) }),
});

/** Deletes what happened to the security of accounts more than 13 months ago. */
export const purgeSecurityLogJob = defineJob({
  name: 'purge_security_log',
  queue: { retryLimit: 3, expireInSeconds: 600 },
  schedule: { cron: '47 3 * * *', unique_s: 3_600 },
  run: async ({ sql, now }) => ({ removed: await purgeSecurityLog(sql, now()) }),
});

/** Deletes notifications that are older than they are kept. */
export const purgeNotificationsJob = defineJob({
  name: 'purge_notifications',
  queue: { retryLimit: 3, expireInSeconds: 600 },
  schedule: { cron: '57 3 * * *', unique_s: 3_600 },
  run: async ({ sql, now }) => ({ removed: await purgeNotifications(sql, now()) }),
});

/** Deletes agents' events and operations that are older than they are kept. */
export const purgeHostingJob = defineJob({
  name: 'purge_hosting',
  queue: { retryLimit: 3, expireInSeconds: 600 },
  schedule: { cron: '27 3 * * *', unique_s: 3_600 },
  run: ({ sql, now }) => inChunks(200, () => purgeHosting(sql, now())),
});

/** Deletes shared logs that have ended: nobody sees them from their end on, and this frees their bytes. */
export const purgeSharedLogsJob = defineJob({
  name: 'purge_shared_logs',
  queue: { retryLimit: 3, expireInSeconds: 600 },
  schedule: { cron: '11,41 * * * *', unique_s: 900 },
  run: ({ sql, now }) => inChunks(50, () => purgeSharedLogs(sql, now())),
});

/** Calls `purge`, which deletes one chunk so that no lock is held long, until nothing is left or it was called so often. */
async function inChunks(max_chunks: number, purge: () => Promise<number>): Promise<{ removed: number }> {
  let removed = 0;
  for (let chunk = 0; chunk < max_chunks; chunk++) {
    const count = await purge();
    removed += count;
    if (count === 0) break;
  }
  return { removed };
}
