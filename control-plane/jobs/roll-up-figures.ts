import { removeOldFigures, rollUpFigures } from '#db/hosting/servers/figures/roll-up.ts';
import { defineJob } from './define.ts';

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
