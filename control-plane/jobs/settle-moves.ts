import { serversWithMoves } from '#db/servers/moves/read.ts';
import { settleMove } from '#db/servers/moves/settle.ts';
import { defineJob } from './define.ts';

/** Servers in one run: the next run takes the others. */
const max_servers = 500;

/** Goes on with moves whose control plane ended before it could, with those that wait for a place, and those that take too long. */
export const settleMovesJob = defineJob({
  name: 'settle_moves',
  queue: { retryLimit: 3, expireInSeconds: 120, deleteAfterSeconds: 3_600 },
  schedule: { cron: '*/10 * * * * *', unique_s: 10 },
  async run({ sql, now }) {
    const servers = await serversWithMoves(sql, max_servers);
    for (const server_id of servers) await settleMove(sql, server_id, now());
    return servers.length > 0 ? { servers: servers.length } : undefined;
  },
});
