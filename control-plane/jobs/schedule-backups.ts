import { backUpDue, dueServers } from '#db/hosting/servers/backups/schedule.ts';
import { defineJob } from './define.ts';

/** Servers in one run: the next run takes the others. */
const max_servers = 500;

/** Begins the backups that are due; misses are recorded as events. Source: hosting §5.6. */
export const scheduleBackups = defineJob({
  name: 'schedule_backups',
  queue: { retryLimit: 3, expireInSeconds: 300, deleteAfterSeconds: 3_600 },
  schedule: { cron: '30 * * * * *', unique_s: 60 },
  async run({ sql, now, settings }) {
    const counts = { begun: 0, missed: 0, later: 0, none: 0 };
    for (const server_id of await dueServers(sql, now(), max_servers))
      counts[await backUpDue(sql, server_id, settings, now())] += 1;
    return Object.values(counts).some((count) => count > 0) ? counts : undefined;
  },
});
