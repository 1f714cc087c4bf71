import { setTimeout } from 'node:timers/promises';
import { agent, powerReport } from '#control/testing/scripted-agent.ts';

/** What the process with all agents is started with, as JSON: `agents.ts JSON`. */
export interface WantedAgents {
  url: string;
  nodes: { node_id: string; secret: string; server_ids: string[] }[];
}

/**
 * Agents of many nodes in a process of their own, which send what their servers use every 10 s, each at its own moment, and
 * heartbeats every 5 s, as real ones do.
 */
const { url, nodes } = JSON.parse(process.argv[2]!) as WantedAgents;
const [stats_ms, beat_ms] = [10_000, 5_000];
let round = 0;
for (const { server_ids, ...credentials } of nodes) {
  const me = await agent(url, credentials);
  for (const id of server_ids) await me.report('server.power', id, powerReport('running', { epoch: 'one' }));
  const send = () => {
    round += 1;
    const servers = server_ids.map((server_id, place) => ({
      ...{ server_id, at: Date.now(), cpu_percent: (place * 7 + round) % 190, ram_mb: 1_500 + (round % 90) },
      ...{ ram_limit_mb: 2_048, disk_mb: 900.125, disk_limit_mb: 20_480, tick_ms: 12.5 },
      ...{ rx_bytes: round * 12_345, tx_bytes: round * 54_321, players: { online: place % 9, most: 20 } },
    }));
    me.socket.emit('stats', { lease: me.welcome.lease, servers });
  };
  setInterval(send, stats_ms);
  setInterval(() => void me.sendHeartbeat().catch(() => {}), beat_ms);
  await setTimeout(stats_ms / nodes.length / 4); // not all at the same moment
}
process.on('disconnect', () => process.exit(0));
process.send!('ready');
