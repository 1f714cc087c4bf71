import { serversToSettle } from '#db/servers/backups/schedule.ts';
import { settleBackups } from '#db/servers/backups/settle.ts';
import { defineJob } from './define.ts';

/** Servers in one run: the next run takes the others. */
const max_servers = 500;

/** Goes on with backups and restores whose control plane ended before it could. */
export const settleBackupsJob = defineJob({
  name: 'settle_backups',
  queue: { retryLimit: 3, expireInSeconds: 120, deleteAfterSeconds: 3_600 },
  schedule: { cron: '*/10 * * * * *', unique_s: 10 },
  async run({ sql, now, settings }) {
    const servers = await serversToSettle(sql, max_servers);
    for (const server_id of servers) await settleBackups(sql, server_id, settings, now());
    return servers.length > 0 ? { servers: servers.length } : undefined;
  },
});
