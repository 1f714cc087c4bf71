import { expireNodes } from '#db/hosting/nodes/write.ts';
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
