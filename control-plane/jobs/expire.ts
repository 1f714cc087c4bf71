import { expireNodes } from '#db/hosting/nodes/write.ts';
import { expireOperations } from '#db/hosting/servers/operations/operations.ts';
import { defineJob } from './define.ts';

/** Marks nodes that sent no heartbeat in time as offline: their servers are shown as `unknown`. */
export const expireNodesJob = defineJob({
  name: 'expire_nodes',
  queue: { retryLimit: 3, expireInSeconds: 60, deleteAfterSeconds: 3_600 },
  schedule: { cron: '*/5 * * * * *', unique_s: 5 },
  async run({ sql, now }) {
    const nodes = await expireNodes(sql, now());
    return nodes.length > 0 ? { nodes } : undefined;
  },
});

/** Ends operations that no agent accepted in time. */
export const expireOperationsJob = defineJob({
  name: 'expire_operations',
  queue: { retryLimit: 3, expireInSeconds: 60, deleteAfterSeconds: 3_600 },
  schedule: { cron: '*/10 * * * * *', unique_s: 10 },
  async run({ sql, now }) {
    const expired = await expireOperations(sql, now());
    return expired > 0 ? { expired } : undefined;
  },
});
