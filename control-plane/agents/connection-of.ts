import { once } from 'node:events';
import { Refused } from '#db/errors.ts';
import { leaseOf } from '#db/nodes/read.ts';
import type { PlaneContext } from '../context.ts';
import type { AgentConnection } from './connection.ts';

/** A node with a heartbeat this recent has a connected agent somewhere. */
const recent_ms = 10_000;
/** An agent that lost its connection reconnects: a request waits so long for it. */
const reconnect_wait_ms = 2_000;

/**
 * The connection of a node's agent, as soon as it is back. Refuses `server_unreachable`, and `console_elsewhere` while
 * another control plane has it.
 */
export async function connectionOf(
  { agents, sql, now, id, agentConnected }: PlaneContext,
  node_id: string | null,
): Promise<AgentConnection> {
  const connected = () => {
    const agent = node_id ? agents.get(node_id) : undefined;
    return agent?.reconciled ? agent : null;
  };
  const lease = node_id && !connected() ? await leaseOf(sql, node_id) : null;
  const age_ms = lease?.last_seen ? now().getTime() - Date.parse(lease.last_seen) : Infinity;
  const is_recent = age_ms < recent_ms;
  if (is_recent && !connected())
    await once(agentConnected, node_id!, { signal: AbortSignal.timeout(reconnect_wait_ms) }).catch(() => {});
  const agent = connected();
  if (agent) return agent;
  const elsewhere = is_recent && lease?.holder && lease.holder !== id;
  throw new Refused(elsewhere ? 'console_elsewhere' : 'server_unreachable');
}
