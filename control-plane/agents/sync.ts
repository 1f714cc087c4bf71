import { leaseOf } from '#db/hosting/nodes/read.ts';
import { beginRotation, endRotation } from '#db/hosting/nodes/rotate.ts';
import { openOperations } from '#db/hosting/servers/operations/operations.ts';
import { desiredOnNode } from '#db/hosting/servers/read.ts';
import { hashToken } from '#db/platform/secrets/hash.ts';
import type { AgentConnection } from '../agent-links/connection.ts';
import type { PlaneContext } from '../context.ts';
import { discardRemains } from './backup-storage.ts';

/** Sends the whole desired state of a node and its open operations, as far as its agent has not acknowledged them. */
export async function syncAgent(
  { sql, now, log }: Pick<PlaneContext, 'sql' | 'now' | 'log'>,
  agent: AgentConnection,
): Promise<void> {
  for (const desired of await desiredOnNode(sql, agent.node_id)) void agent.pushSpec(desired);
  for (const operation of await openOperations(sql, agent.node_id)) void agent.sendOperation(operation);
  discardRemains({ sql, now }, agent).catch((err) =>
    log.warn({ err, node_id: agent.node_id }, 'Backups of deleted servers could not be removed yet'),
  );
}

/** Disconnects an agent whose lease was taken over by another one, or ended because this plane was taken for dead. */
export async function checkLease(
  { sql, log }: Pick<PlaneContext, 'sql' | 'log'>,
  agent: AgentConnection,
): Promise<void> {
  const lease = await leaseOf(sql, agent.node_id);
  if (lease?.lease === agent.lease) return;
  if (lease?.holder === null) {
    log.warn({ node_id: agent.node_id, code: 'lease_stale' }, 'Agent disconnected: its lease has ended');
    agent.socket.conn.close(); // nobody else has its node: it reconnects at once
    return;
  }
  log.warn({ node_id: agent.node_id, code: 'lease_stale' }, 'Agent disconnected: another one has its node');
  agent.socket.disconnect(true);
}

/**
 * Sends an agent the new secret that was requested for its node, if one was. An agent that does not acknowledge it is
 * disconnected: at its next handshake it presents the one that it has, and until then both are valid.
 */
export async function rotateSecret(
  { sql, now, log }: Pick<PlaneContext, 'sql' | 'now' | 'log'>,
  agent: AgentConnection,
): Promise<void> {
  const { node_id } = agent;
  if (!agent.reconciled) return;
  try {
    const secret = await beginRotation(sql, { node_id, lease: agent.lease, shown: agent.secret_hash });
    if (secret === null) return;
    const acknowledged = await agent.rotateSecret(secret);
    if (acknowledged) agent.secret_hash = hashToken(secret);
    await endRotation(sql, { node_id, secret, is_confirmed: acknowledged }, now());
    if (acknowledged) return;
    log.warn({ node_id }, 'Agent did not acknowledge its new secret');
    agent.socket.disconnect(true);
  } catch (err) {
    log.warn({ err, node_id }, 'Secret of an agent could not be rotated');
  }
}
