import { rotateServer, serversToRotate } from '#db/hosting/servers/backups/schedule.ts';
import { defineJob } from './define.ts';

const chunk = 500;

/** Deletes automated backups that the rules of their servers do not keep: these changed, or nothing was made since; exports after their time. */
export const rotateBackupsJob = defineJob({
  name: 'rotate_backups',
  queue: { retryLimit: 3, expireInSeconds: 600 },
  schedule: { cron: '41 * * * *', unique_s: 600 },
  async run({ sql, now }) {
    let servers = 0;
    for (let after = ''; ; ) {
      const ids = await serversToRotate(sql, after, chunk);
      for (const id of ids) await rotateServer(sql, id, now());
      servers += ids.length;
      if (ids.length < chunk) break;
      after = ids.at(-1)!;
    }
    return servers > 0 ? { servers } : undefined;
  },
});
