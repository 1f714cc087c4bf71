import { serversWithChanges } from '#db/servers/changes/open.ts';
import { settleChanges } from '#db/servers/changes/settle.ts';
import { defineJob } from './define.ts';

/** Servers in one run: the next run takes the others. */
const max_servers = 500;

/** Goes on with changes of content and loader whose control plane ended before it could, and with those that wait too long. */
export const settleChangesJob = defineJob({
  name: 'settle_changes',
  queue: { retryLimit: 3, expireInSeconds: 120, deleteAfterSeconds: 3_600 },
  schedule: { cron: '*/10 * * * * *', unique_s: 10 },
  async run({ sql, now, settings }) {
    const servers = await serversWithChanges(sql, max_servers);
    for (const server_id of servers) await settleChanges(sql, server_id, settings, now());
    return servers.length > 0 ? { servers: servers.length } : undefined;
  },
});
