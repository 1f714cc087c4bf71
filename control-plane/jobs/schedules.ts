import { dueSchedules, runDue } from '#db/hosting/servers/schedules/due.ts';
import { defineJob } from './define.ts';

/** Schedules in one run: the next run takes the others. */
const max_schedules = 1_000;

/**
 * Begins the schedules of servers that are due; misses are recorded as events. A second after the minute: the clock of a plane
 * may be ahead of the one that due times are compared with.
 */
export const runSchedulesJob = defineJob({
  name: 'run_schedules',
  queue: { retryLimit: 3, expireInSeconds: 300, deleteAfterSeconds: 3_600 },
  schedule: { cron: '1,31 * * * * *', unique_s: 30 },
  async run({ sql, now }) {
    const counts = { begun: 0, missed: 0, none: 0 };
    for (const due of await dueSchedules(sql, now(), max_schedules))
      counts[await runDue(sql, due, now())] += 1;
    return counts.begun + counts.missed > 0 ? counts : undefined;
  },
});
