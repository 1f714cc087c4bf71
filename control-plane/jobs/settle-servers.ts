import { serversToSettle } from '#db/hosting/servers/backups/schedule.ts';
import { settleBackups } from '#db/hosting/servers/backups/settle.ts';
import { wakeRuns } from '#db/hosting/servers/schedules/due.ts';
import { settleTasks } from '#db/hosting/servers/settle-tasks.ts';
import { serversWithTasks } from '#db/hosting/servers/tasks/rows.ts';
import { defineJob } from './define.ts';

/** Servers in one run: the next run takes the others. */
const max_servers = 500;

/**
 * Goes on with backups and tasks whose control plane could not end them, and with what waits too long, server by server. Runs
 * of schedules need a plane: it tells them all. One server that fails does not hold up the others.
 */
export const settleServersJob = defineJob({
  name: 'settle_servers',
  queue: { retryLimit: 3, expireInSeconds: 120, deleteAfterSeconds: 3_600 },
  schedule: { cron: '*/10 * * * * *', unique_s: 10 },
  async run({ sql, settings, now }) {
    const runs = await wakeRuns(sql, now(), max_servers);
    const unsettled = await serversToSettle(sql, max_servers);
    const servers = new Set([...unsettled, ...(await serversWithTasks(sql, max_servers))]);
    const errors: unknown[] = [];
    for (const server_id of servers)
      try {
        await settleBackups(sql, server_id, now());
        await settleTasks(sql, server_id, { settings, runs: null }, now());
      } catch (error) {
        errors.push(error);
      }
    if (errors.length > 0) throw new AggregateError(errors, `${errors.length} servers could not be settled`);
    return servers.size + runs > 0 ? { servers: servers.size, runs } : undefined;
  },
});
