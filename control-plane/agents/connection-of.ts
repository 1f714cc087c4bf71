import { once } from 'node:events';
import { leaseOf } from '#db/hosting/nodes/read.ts';
import { Refused } from '#db/platform/errors.ts';
import type { AgentAccess } from '../agent-links/access.ts';
import type { PlaneContext } from '../context.ts';
import type { Holder } from '../planes/remote-agents.ts';

/** A node with a heartbeat this recent has a connected agent somewhere. */
const recent_ms = 10_000;
/** An agent that lost its connection, or its plane, reconnects: a request waits so long for it. */
const reconnect_wait_ms = 4_000;
/** The database is asked again after this time when nothing was heard. */
const look_again_ms = 300;

type Context = Pick<PlaneContext, 'agents' | 'remoteAgents' | 'sql' | 'now' | 'id' | 'nodeChanged'>;

/**
 * The agent of a node as soon as it is ready, here or at another plane; `wait_ms` is how long it may be away. Refuses
 * `server_unreachable`, and `plane_protocol` while a plane of another release has it.
 */
export async function connectionOf(
  context: Context,
  node_id: string | null,
  wait_ms = reconnect_wait_ms,
): Promise<AgentAccess> {
  if (node_id === null) throw new Refused('server_unreachable');
  const deadline = performance.now() + wait_ms;
  const at_once = readyAgent(context, node_id) ?? (await knownAgent(context, node_id));
  if (at_once) return at_once;
  for (;;) {
    const changed = new AbortController();
    const change = once(context.nodeChanged, node_id, { signal: changed.signal }).catch(() => {});
    try {
      const agent = readyAgent(context, node_id) ?? (await remoteAgent(context, node_id));
      if (agent) return agent;
      const left_ms = deadline - performance.now();
      if (left_ms <= 0) throw new Refused('server_unreachable');
      await Promise.race([change, pause(Math.min(look_again_ms, left_ms))]);
    } finally {
      changed.abort();
    }
  }
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

function readyAgent({ agents }: Context, node_id: string): AgentAccess | null {
  const agent = agents.get(node_id);
  return agent?.reconciled ? agent : null;
}

/** The agent at the plane where the consoles here watch it, without asking the database. Refuses `plane_protocol`. */
async function knownAgent(context: Context, node_id: string): Promise<AgentAccess | null> {
  const holder = context.remoteAgents.knownHolder(node_id);
  return holder && (await agentAt(context, node_id, holder));
}

/** The agent at the plane that holds its lease; null when that is not responding. Refuses `server_unreachable` and `plane_protocol`. */
async function remoteAgent(context: Context, node_id: string): Promise<AgentAccess | null> {
  const { sql, now, id } = context;
  const row = await leaseOf(sql, node_id);
  const age_ms = row?.last_seen ? now().getTime() - Date.parse(row.last_seen) : Infinity;
  if (age_ms > recent_ms) throw new Refused('server_unreachable');
  if (!row?.holder || row.holder === id) return null;
  return await agentAt(context, node_id, { plane_id: row.holder, lease: row.lease });
}

const agentAt = ({ remoteAgents }: Context, node_id: string, holder: Holder): Promise<AgentAccess | null> =>
  remoteAgents.at(node_id, holder).catch((error: unknown) => {
    if (error instanceof Refused && error.code === 'plane_away') return null;
    throw error;
  });

/**
 * Asks the agent of a node, wherever it is, and follows it when it has moved meanwhile: `ask` is repeated only after nothing
 * was done. Refuses as `connectionOf`.
 */
export async function askAgent<T>(
  context: Context,
  node_id: string | null,
  ask: (agent: AgentAccess) => Promise<T>,
  wait_ms = reconnect_wait_ms,
): Promise<T> {
  const deadline = performance.now() + wait_ms;
  for (;;) {
    const agent = await connectionOf(context, node_id, deadline - performance.now());
    try {
      return await ask(agent);
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== 'agent_elsewhere') throw error;
      if (performance.now() >= deadline) throw new Refused('server_unreachable');
      await pause(look_again_ms);
    }
  }
}
