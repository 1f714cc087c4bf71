import { dropExpiredTransfers, removeRemains } from '#db/hosting/servers/backups/remains.ts';
import {
  backUpDue,
  dueServers,
  rotateServer,
  serversToRotate,
} from '#db/hosting/servers/backups/schedule.ts';
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

/** Backups and transfers in one run: the next run takes the others. */
const max_removed = 500;

/** Removes what deleted backups left at the platform, and what transfers staged that nobody goes on with. */
export const removeBackupsJob = defineJob({
  name: 'remove_backups',
  queue: { retryLimit: 3, expireInSeconds: 600, deleteAfterSeconds: 3_600 },
  schedule: { cron: '45 * * * * *', unique_s: 60 },
  async run({ sql, storage, now }) {
    const backups = await removeRemains(sql, storage, now(), max_removed);
    const transfers = await dropExpiredTransfers(sql, storage, now(), max_removed);
    return backups + transfers > 0 ? { backups, transfers } : undefined;
  },
});
