import { serversToSettle } from '#db/hosting/servers/backups/schedule.ts';
import { settleBackups } from '#db/hosting/servers/backups/settle.ts';
import { settleChanges } from '#db/hosting/servers/changes/settle.ts';
import { serversWithChanges } from '#db/hosting/servers/content/open-change.ts';
import { serversWithMoves } from '#db/hosting/servers/moves/read.ts';
import { settleMove } from '#db/hosting/servers/moves/settle.ts';
import type { Db } from '#db/platform/postgres/sql.ts';
import { defineJob, type JobContext } from './define.ts';

/** Servers in one run: the next run takes the others. */
const max_servers = 500;

type Settling = 'settle_backups' | 'settle_changes' | 'settle_moves';

/** Goes on with what the control plane that was at it could not end, and with what waits too long, server by server. */
const settleServersJob = <N extends Settling>(
  name: N,
  unsettled: (db: Db, limit: number) => Promise<string[]>,
  settle: (server_id: string, context: JobContext) => Promise<void>,
) =>
  defineJob({
    name,
    queue: { retryLimit: 3, expireInSeconds: 120, deleteAfterSeconds: 3_600 },
    schedule: { cron: '*/10 * * * * *', unique_s: 10 },
    async run(context) {
      const servers = await unsettled(context.sql, max_servers);
      for (const server_id of servers) await settle(server_id, context);
      return servers.length > 0 ? { servers: servers.length } : undefined;
    },
  });

/** Backups and restores. */
export const settleBackupsJob = settleServersJob(
  'settle_backups',
  serversToSettle,
  (id, { sql, settings, now }) => settleBackups(sql, id, settings, now()),
);
/** Changes of content and loader. */
export const settleChangesJob = settleServersJob(
  'settle_changes',
  serversWithChanges,
  (id, { sql, settings, now }) => settleChanges(sql, id, settings, now()),
);
/** Moves, also those that wait for a place. */
export const settleMovesJob = settleServersJob('settle_moves', serversWithMoves, (id, { sql, now }) =>
  settleMove(sql, id, now()),
);
