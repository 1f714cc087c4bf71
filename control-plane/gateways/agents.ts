import { assertOnNode, markSpecAcknowledged } from '#db/hosting/servers/observe.ts';
import { finishOperation, markAccepted, recordProgress } from '#db/hosting/servers/operations/operations.ts';
import { hashToken } from '#db/platform/secrets/hash.ts';
import { AgentConnection, type AgentSocket, type ConnectionEffects } from '../agent-links/connection.ts';
import { handleBackupMessages } from '../agents/backup-storage.ts';
import { acceptHandshake } from '../agents/handshake.ts';
import { OncePerSecond } from '../agents/once-per-second.ts';
import { assertLease, reconcile, storeBatch, storeHeartbeat } from '../agents/reports.ts';
import { rotateSecret, syncAgent } from '../agents/sync.ts';
import type { Consoles } from '../console/consoles.ts';
import type { PlaneContext } from '../context.ts';
import type { FigureRecorder } from '../figures/recorder.ts';
import type { Relay } from '../planes/relay.ts';
import { consoleLines, eventBatch, inventory, statsMessage, type Welcome } from '../protocol/agent.ts';
import { operationProgress } from '../protocol/files.ts';
import { heartbeat } from '../protocol/heartbeat.ts';
import { type Handshake, handshakeOf } from '../sockets/authenticate.ts';
import { errorAck, handleMessage } from '../sockets/handle.ts';
import type { Transfers } from '../transfers/transfers.ts';

/** What the gateway needs of the other parts of its control plane. */
export interface AgentGatewayOptions {
  consoles: Pick<Consoles, 'take' | 'takeStats' | 'statsOf'>;
  /** Lines and stats go to the other planes that watch. */
  relay: Pick<Relay, 'lines' | 'stats'>;
  /** What servers use over time. */
  figures: Pick<FigureRecorder, 'add'>;
  transfers: Pick<Transfers, 'serveAgent'>;
  /** Throws `too_fast` when too many handshakes come from one address. */
  checkHandshakeRate(handshake: Handshake): void;
  /** An agent has its specifications. */
  onAgentConnected(agent: AgentConnection): void;
  onAgentDisconnected(agent: AgentConnection): void;
  onHeartbeat(): void;
  /** A node can run servers from now on: those that wait for one are scheduled at once. */
  onCapacityAdded(): void;
}

/** The namespace of agents: who may speak for a node, and what is done with what they report. Source: hosting §5. */
export function openAgentGateway(context: PlaneContext, options: AgentGatewayOptions): void {
  const { io, log, sql, now } = context;
  const namespace = io.of('/agent');
  namespace.use((socket, next) => {
    const accept = async () => {
      options.checkHandshakeRate(handshakeOf(socket));
      context.membership.assertHeld();
      const { id: holder, installation, settings } = context;
      const site_origin = new URL(settings.SITE_URL).origin;
      const by = { holder, installation, site_origin, now: now() };
      return await sql.begin((tx) => acceptHandshake(tx, socket.handshake.auth, by));
    };
    accept().then(
      (welcome) => {
        socket.data.welcome = welcome;
        next();
      },
      (error) => {
        const data = errorAck(error, 'en-US', log, 'handshake');
        next(Object.assign(new Error(data.description), { data }));
      },
    );
  });
  namespace.on('connection', (socket) => {
    register(context, options, socket as AgentSocket, socket.data.welcome as Welcome);
  });
}

function register(
  context: PlaneContext,
  options: AgentGatewayOptions,
  socket: AgentSocket,
  welcome: Welcome,
): void {
  const { agents, installation } = context;
  const { node_id, lease } = welcome;
  const before = agents.get(node_id);
  if (before && before.lease > lease) {
    socket.disconnect(true); // a newer one was faster
    return;
  }
  const secret_hash = hashToken(presentedSecret(socket, welcome));
  const agent = new AgentConnection(
    socket,
    { id: node_id, lease, installation, protocol: welcome.protocol, secret_hash },
    connectionEffects(context, options, node_id),
  );
  agents.set(node_id, agent);
  before?.socket.disconnect(true);
  socket.on('disconnect', () => {
    if (agents.get(node_id) !== agent) return;
    agents.delete(node_id);
    options.onAgentDisconnected(agent);
  });
  handleMessages(context, options, agent);
  socket.emit('welcome', welcome);
}

/** The secret an agent has: what it joined with a moment ago, or presented at the handshake. */
const presentedSecret = ({ handshake }: AgentSocket, { secret }: Welcome): string =>
  secret ?? String(handshake.auth.secret ?? '');

const connectionEffects = (
  { sql, now, log, membership }: PlaneContext,
  { consoles }: AgentGatewayOptions,
  node_id: string,
): ConnectionEffects => ({
  isHeld: () => membership.isHeld(),
  statsOf: (server_id) => consoles.statsOf(server_id),
  specAcknowledged: (server_id) => markSpecAcknowledged(sql, server_id),
  operationAnswered: async ({ id }, answer) => {
    if (answer.status === 'accepted' || answer.status === 'duplicate') await markAccepted(sql, id);
    else if (answer.status !== 'stale' && answer.status !== 'busy') {
      const state = answer.status === 'expired' ? 'expired' : 'failed';
      await finishOperation(sql, { id, node_id, state, result: { error: answer.status } }, now());
    }
  },
  failed: (err, what) => log.warn({ err, node_id }, what),
});

function handleMessages(context: PlaneContext, options: AgentGatewayOptions, agent: AgentConnection): void {
  const { sql, now, log } = context;
  const { node_id } = agent;
  const { consoles, relay, figures } = options;
  // a process that was stopped for long finds messages under leases that are others' by now
  const handling = { log, locale: 'en-US', admit: () => context.membership.assertHeld() };

  handleMessage(agent.socket, 'inventory', inventory, handling, async (message) => {
    assertLease(message, agent.lease);
    const { servers, ...answer } = await reconcile(sql, node_id, message.servers);
    for (const id of servers) agent.servers.add(id);
    for (const [id, { generation }] of Object.entries(message.servers)) agent.setGeneration(id, generation);
    for (const { server_id, generation } of answer.specs) agent.setGeneration(server_id, generation);
    agent.reconciled = true;
    // after the answer, which the agent begins with
    setImmediate(() => void afterInventory(context, options, agent));
    return answer;
  });

  handleMessage(agent.socket, 'events.push', eventBatch, handling, async (message) => {
    assertLease(message, agent.lease);
    const { seq, lost, rejected } = await storeBatch(sql, node_id, message, now());
    if (lost > 0) log.warn({ node_id, lost }, 'Agent lost events before it could send them');
    if (rejected.length > 0)
      log.warn(
        { node_id, servers: rejected.slice(0, 10) },
        'Agent reported servers that are not on its node',
      );
    return { seq };
  });

  handleMessage(agent.socket, 'heartbeat', heartbeat, handling, async ({ event_loop, ...message }) => {
    assertLease(message, agent.lease);
    agent.loop_delay = event_loop ?? null;
    await storeHeartbeat(sql, agent, message, now());
    options.onHeartbeat();
    const docker_up = message.docker === 'up';
    if (docker_up && !agent.docker_up) options.onCapacityAdded();
    agent.docker_up = docker_up;
  });

  handleMessage(agent.socket, 'console.lines', consoleLines, handling, async (message) => {
    const { server_id, epoch, from, lines } = message;
    assertLease(message, agent.lease);
    if (!agent.servers.has(server_id)) {
      await assertOnNode(sql, server_id, node_id);
      agent.servers.add(server_id);
    }
    // whoever has the longer way first: one message to each plane, while the viewers here may be hundreds
    relay.lines(agent, server_id, { epoch, from, lines });
    consoles.take(server_id, { epoch, from, lines });
  });

  handleMessage(agent.socket, 'stats', statsMessage, handling, async (message) => {
    assertLease(message, agent.lease);
    for (const stats of message.servers) {
      if (!agent.servers.has(stats.server_id)) continue;
      consoles.takeStats(stats);
      figures.add(stats);
      relay.stats(agent, stats);
    }
  });

  handleBackupMessages(context, agent, handling);
  options.transfers.serveAgent(agent, handling);

  const progress = new OncePerSecond();
  handleMessage(agent.socket, 'operation.progress', operationProgress, handling, async (message) => {
    assertLease(message, agent.lease);
    const { op_id: id, done, total } = message;
    if (progress.admit(id, performance.now()))
      await recordProgress(sql, { id, node_id, progress: { done, total } });
  });
}

/** Sends what waits for this agent: specifications and operations, then consoles that are watched. */
async function afterInventory(
  context: PlaneContext,
  options: AgentGatewayOptions,
  agent: AgentConnection,
): Promise<void> {
  try {
    await syncAgent(context, agent);
    options.onAgentConnected(agent);
    context.nodeChanged.emit(agent.node_id);
    void rotateSecret(context, agent);
  } catch (err) {
    context.log.warn(
      { err, node_id: agent.node_id },
      'Desired state of a node could not be read, will retry',
    );
  }
}
