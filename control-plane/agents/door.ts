import { z } from 'zod';
import { Refused } from '#db/errors.ts';
import { leaseOf } from '#db/nodes/read.ts';
import { hashOf } from '#db/people/session.ts';
import { onNode, specTaken } from '#db/servers/observe.ts';
import { accepted, end, openOperations } from '#db/servers/operations.ts';
import { wantedOnNode } from '#db/servers/read.ts';
import {
  consoleLines,
  eventBatch,
  heartbeat,
  inventory,
  serverStats,
  type Welcome,
} from '../agent-protocol.ts';
import { knockOf } from '../callers.ts';
import type { Hub } from '../hub.ts';
import { listen, notOk } from '../listen.ts';
import { greet } from './greet.ts';
import { AgentLink, type AgentSocket, type Notes } from './link.ts';
import { reconcile, sameLease, storeBatch, storeHeartbeat } from './reports.ts';
import { rotate } from './rotate.ts';

const statsMessage = z.object({ lease: z.int().min(0), servers: z.array(serverStats).max(1_000) });

/** The namespace of agents: who may speak for a node, and what is done with what they say. Source: hosting §5. */
export function openAgentDoor(hub: Hub): void {
  const { record, io, log } = hub;
  const { sql, now } = record;
  const namespace = io.of('/agent');
  namespace.use((socket, next) => {
    const letIn = async () => {
      hub.knock(knockOf(socket));
      const by = { holder: hub.id, installation: hub.installation, now: now() };
      return await sql.begin((tx) => greet(tx, socket.handshake.auth, by));
    };
    letIn().then(
      (welcome) => {
        socket.data.welcome = welcome;
        next();
      },
      (error) => {
        const data = notOk(error, 'en-US', log, 'hello');
        next(Object.assign(new Error(data.description), { data }));
      },
    );
  });
  namespace.on('connection', (socket) => {
    admit(hub, socket as AgentSocket, socket.data.welcome as Welcome);
  });
}

/** What an agent's answers change in the record. */
const notesOf = (hub: Hub, node_id: string): Notes => ({
  specTaken: (server_id) => specTaken(hub.record.sql, server_id),
  operation: async ({ id }, answer) => {
    const { sql, now } = hub.record;
    if (answer.status === 'accepted' || answer.status === 'duplicate') await accepted(sql, id);
    else if (answer.status !== 'stale' && answer.status !== 'busy') {
      const state = answer.status === 'expired' ? 'expired' : 'failed';
      await end(sql, { id, node_id, state, result: { error: answer.status } }, now());
    }
  },
  trouble: (err, what) => hub.log.warn({ err, node_id }, what),
});

function admit(hub: Hub, socket: AgentSocket, welcome: Welcome): void {
  const { node_id, lease } = welcome;
  const link = new AgentLink(
    socket,
    { id: node_id, lease, installation: hub.installation, shown: hashOf(shownBy(socket, welcome)) },
    notesOf(hub, node_id),
  );
  const before = hub.links.get(node_id);
  if (before && before.lease > lease) {
    socket.disconnect(true); // a newer one was faster
    return;
  }
  hub.links.set(node_id, link);
  before?.socket.disconnect(true);
  socket.on('disconnect', () => {
    if (hub.links.get(node_id) !== link) return;
    hub.links.delete(node_id);
    hub.agentWent(link);
  });
  answerTo(hub, link);
  socket.emit('welcome', welcome);
}

/** The secret an agent has: what it joined with a moment ago, or showed at the door. */
const shownBy = ({ handshake }: AgentSocket, { secret }: Welcome): string =>
  secret ?? String(handshake.auth.secret ?? '');

function answerTo(hub: Hub, link: AgentLink): void {
  const { record, log, consoles } = hub;
  const { sql, now } = record;
  const { node_id } = link;
  const options = { log, locale: 'en-US', admit: () => {} };

  listen(link.socket, 'inventory', inventory, options, async (message) => {
    sameLease(message, link.lease);
    const { servers, ...answer } = await reconcile(sql, node_id, message.servers);
    for (const id of servers) link.servers.add(id);
    for (const [id, { generation }] of Object.entries(message.servers)) link.holds(id, generation);
    for (const { server_id, generation } of answer.specs) link.holds(server_id, generation);
    link.reconciled = true;
    // after the answer: it is what the agent begins with
    setImmediate(() => void afterInventory(hub, link));
    return answer;
  });

  listen(link.socket, 'events.push', eventBatch, options, async (message) => {
    sameLease(message, link.lease);
    const { seq, lost, foreign } = await storeBatch(sql, node_id, message, now());
    if (lost > 0) log.warn({ node_id, lost }, 'An agent lost events before it could tell them');
    if (foreign.length > 0)
      log.warn(
        { node_id, servers: foreign.slice(0, 10) },
        'An agent spoke of servers that are not on its node',
      );
    return { seq };
  });

  listen(link.socket, 'heartbeat', heartbeat, options, async (message) => {
    sameLease(message, link.lease);
    await storeHeartbeat(sql, node_id, message, now());
    hub.nodeHeard(node_id);
    const able = message.docker === 'up';
    if (able && !link.able) hub.roomCame();
    link.able = able;
  });

  listen(
    link.socket,
    'console.lines',
    consoleLines,
    options,
    async ({ server_id, epoch, from, lines, ...message }) => {
      sameLease(message, link.lease);
      if (!link.servers.has(server_id)) {
        await onNode(sql, server_id, node_id);
        link.servers.add(server_id);
      }
      consoles.take(server_id, { epoch, from, lines });
    },
  );

  listen(link.socket, 'stats', statsMessage, options, async ({ servers, ...message }) => {
    sameLease(message, link.lease);
    for (const stats of servers) if (link.servers.has(stats.server_id)) consoles.takeStats(stats);
  });
}

/** What waits for this agent: wishes and operations, then consoles that somebody looks at. */
async function afterInventory(hub: Hub, link: AgentLink): Promise<void> {
  try {
    await offerAll(hub, link);
    hub.agentCame(link);
    void rotate(hub, link);
  } catch (error) {
    hub.log.warn(
      { err: error, node_id: link.node_id },
      'What an agent must do could not be read; it is tried again',
    );
  }
}

/** Everything that is wanted on a node, told again as far as its agent has not answered. Refuses nothing. */
export async function offerAll(hub: Hub, link: AgentLink): Promise<void> {
  const { sql } = hub.record;
  for (const wanted of await wantedOnNode(sql, link.node_id)) void link.offer(wanted);
  for (const operation of await openOperations(sql, link.node_id)) void link.run(operation);
}

/** Cuts an agent off when somebody else speaks for its node by now. */
export async function checkLease(hub: Hub, link: AgentLink): Promise<void> {
  const held = await leaseOf(hub.record.sql, link.node_id);
  if (held?.lease === link.lease) return;
  const why = new Refused('lease_stale');
  hub.log.warn(
    { node_id: link.node_id, code: why.code },
    'An agent was cut off: another one speaks for its node',
  );
  link.socket.disconnect(true);
}
