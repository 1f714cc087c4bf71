import { removeOldAnalytics, rollUp } from '#db/discovery/analytics/roll-up.ts';
import { removeOldFigures, rollUpFigures } from '#db/hosting/servers/figures/roll-up.ts';
import { defineJob } from './define.ts';

/** Sums up views, downloads and playtime by hour and day, and forgets what is older than the settings keep it. */
export const rollUpAnalyticsJob = defineJob({
  name: 'roll_up_analytics',
  queue: { retryLimit: 3, expireInSeconds: 600, deleteAfterSeconds: 3_600 },
  schedule: { cron: '* * * * *', unique_s: 30 },
  async run({ sql, now, settings }) {
    const {
      ANALYTICS_RECORD_DAYS: records_d,
      ANALYTICS_HOUR_DAYS: hours_d,
      ANALYTICS_DAYS: days_d,
    } = settings;
    const keep = { records_d, hours_d, days_d };
    const { hours, days } = await rollUp(sql, now(), keep);
    const removed = await removeOldAnalytics(sql, now(), keep);
    return hours + days + removed === 0 ? undefined : { hours, days, removed };
  },
});

/** Makes ten-minutes and hours of the minutes of servers, and forgets what is older than it is kept. */
export const rollUpFiguresJob = defineJob({
  name: 'roll_up_figures',
  queue: { retryLimit: 3, expireInSeconds: 600, deleteAfterSeconds: 3_600 },
  schedule: { cron: '4 * * * *', unique_s: 1_800 },
  async run({ sql, now }) {
    const stored = await rollUpFigures(sql, now());
    const removed = await removeOldFigures(sql, now());
    return { stored, removed };
  },
});
