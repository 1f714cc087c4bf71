import { wakeRuns } from '#db/hosting/servers/schedules/due.ts';
import { defineJob } from './define.ts';

/** Servers in one run: the next run takes the others. */
const max_servers = 500;

/** Tells the planes of runs of schedules whose plane ended before it could go on, and of those that wait for a time. */
export const settleSchedulesJob = defineJob({
  name: 'settle_schedules',
  queue: { retryLimit: 3, expireInSeconds: 60, deleteAfterSeconds: 3_600 },
  schedule: { cron: '*/10 * * * * *', unique_s: 10 },
  async run({ sql, now }) {
    const servers = await wakeRuns(sql, now(), max_servers);
    return servers > 0 ? { servers } : undefined;
  },
});
