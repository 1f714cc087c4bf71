import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { Server } from 'socket.io';
import type { AppContext } from '#db/context.ts';
import { releaseLeases } from '#db/hosting/nodes/write.ts';
import type { Versions } from '#db/hosting/planes/rules.ts';
import type { BillingContext } from '#db/money/billing/checkout.ts';
import { Refused } from '#db/platform/errors.ts';
import { PgSubscription } from '#db/platform/events/pg-subscription.ts';
import { installationId } from '#db/platform/installation.ts';
import { LocalLimiter } from '#db/platform/runtime/rate-limit.ts';
import manifest from '../package.json' with { type: 'json' };
import { ActivityRecorder } from './activity/activity-recorder.ts';
import { openAdminGateway } from './admin/gateway.ts';
import { tail_lines } from './agent-links/connection.ts';
import { askAgent } from './agents/connection-of.ts';
import { checkLease, syncAgent } from './agents/sync.ts';
import { Consoles } from './console/consoles.ts';
import type { PlaneContext } from './context.ts';
import { type ChangeHandler, createChangeHandler } from './database-changes/change-handler.ts';
import { FigureRecorder } from './figures/recorder.ts';
import { openAgentGateway } from './gateways/agents.ts';
import { openPlaneGateway } from './gateways/planes.ts';
import { scheduleWaiting } from './jobs/schedule-servers.ts';
import { scheduleNotices } from './notices/notice-timer.ts';
import { openPanelGateway } from './panel/gateway.ts';
import { Presence } from './panel/presence.ts';
import { PanelSubscriptions } from './panel/subscriptions.ts';
import { AgentAddresses } from './planes/addresses.ts';
import { forwardRequest } from './planes/forward.ts';
import { Membership } from './planes/membership.ts';
import { PlaneLinks } from './planes/plane-links.ts';
import { Relay } from './planes/relay.ts';
import { RemoteAgents } from './planes/remote-agents.ts';
import { max_message_bytes } from './protocol/ack.ts';
import { linkVersions } from './protocol/plane.ts';
import { addressOf, type Handshake, requireUser } from './sockets/authenticate.ts';
import { createBatcher } from './sockets/batcher.ts';
import { boundedParser } from './sockets/bounded-parser.ts';
import { ConnectionCounter, limits } from './sockets/limits.ts';
import { Transfers } from './transfers/transfers.ts';

/** Sessions and tokens expire without a change in the database. */
const revalidate_ms = 10_000;
/** What an agent did not acknowledge is sent again. */
const sync_ms = 15_000;

export interface ControlPlane {
  context: PlaneContext;
  subscriptions: PanelSubscriptions;
  consoles: Consoles;
  figures: FigureRecorder;
  transfers: Transfers;
  /** The links to other planes. */
  links: Pick<PlaneLinks, 'count'>;
  /** Throws `too_fast` when too many handshakes come from one address. */
  checkHandshakeRate(handshake: Handshake): void;
  /** Tells the other planes at which address they reach this one, which listens there: `unix:/path` or `http://host:port`. */
  join(address: string): Promise<void>;
  /** Resolves when every change so far is handled. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the sockets of a control plane on `server`: agents, panels, staff. It holds no truth: it may end at any moment, and
 * any number of them may run on one database. `link` are the versions of the protocol between planes that it speaks, `idle_ms`
 * how long a transfer of a backup may stand still. Source:
 * hosting §5.
 */
export async function createControlPlane(
  app: AppContext,
  server: HttpServer,
  billing: BillingContext,
  { link = linkVersions, idle_ms }: { link?: Versions | undefined; idle_ms?: number } = {},
): Promise<ControlPlane> {
  const { sql, storage, lastUsed, log, now, settings, sealer } = app;
  const io = createSocketServer();
  const agents: PlaneContext['agents'] = new Map();
  let changes: ReturnType<typeof listenForChanges> | undefined;
  const id = randomUUID();
  const membership: Membership = new Membership({
    ...{ sql, log, id, release: manifest.version, protocol: link },
    load: () => ({ agents: agents.size, viewers: consoles.viewers }),
    effects: {
      announce: (planes, address) => links.announce(planes, address),
      onPlanes(planes) {
        links.closeAllBut(new Set(planes.map((plane) => plane.id)));
        admin.notifyNodes();
        presence.keep(planes);
      },
      onLost: () => dropConnections(io),
      async onReturned() {
        for (const agent of [...agents.values()]) await checkLease(context, agent);
        handler.resync();
      },
      isAnotherRenewing: () => links.isAnyRenewing(),
    },
  });
  const links: PlaneLinks = new PlaneLinks({
    ...{ membership, sealer, now, versions: link },
    events: {
      agent: (link, message) => remoteAgents.onAgent(link, message),
      lines: (link, message) => remoteAgents.onLines(link, message),
      stats: (link, message) => remoteAgents.onStats(link, message),
    },
    onClosed: (link) => remoteAgents.onLinkClosed(link),
  });
  const onAgentReady = (node_id: string) => {
    consoles.onAgentConnected(node_id);
    subscriptions.broadcastNode(node_id, true, now());
  };
  const remoteAgents: RemoteAgents = new RemoteAgents({
    ...{ sql, log, id, links },
    effects: {
      takeLines: (server_id, batch) => consoles.take(server_id, batch),
      takeStats: (stats) => consoles.takeStats(stats),
      onConnected: onAgentReady,
      onDisconnected: (node_id) => {
        if (!agents.has(node_id)) subscriptions.broadcastNode(node_id, false, now());
      },
    },
  });
  const forwardHttp: PlaneContext['forwardHttp'] = async (plane_id, req, res) =>
    forwardRequest({ from: id, to: await membership.addressOf(plane_id) }, req, res);
  const activity = new ActivityRecorder({ sql, log });
  const context: PlaneContext = {
    ...{
      settings,
      sql,
      storage,
      sealer,
      lastUsed,
      log,
      now,
      io,
      agents,
      id,
      membership,
      remoteAgents,
      forwardHttp,
      activity,
    },
    addresses: new AgentAddresses({ sql, log, now, id, forwardHttp }),
    installation: await installationId(sql),
    nodeChanged: new EventEmitter().setMaxListeners(0),
    operationEnded: new EventEmitter().setMaxListeners(0),
    changes: new EventEmitter().setMaxListeners(0),
    isListening: () => changes?.isListening() ?? false,
  };
  /** Tells the agent of a node, if it is here, what is watched here and by other planes. */
  const watchHere = (node_id: string) =>
    agents.get(node_id)?.watch([...new Set([...consoles.watchedOn(node_id), ...relay.watchedOn(node_id)])]);
  const relay = new Relay(watchHere);
  const consoles: Consoles = new Consoles(
    io.of('/server'),
    {
      tail: (node_id, server_id, before) =>
        askAgent(context, node_id, (agent) => agent.tail(server_id, before, tail_lines), 0),
      watch(node_id) {
        watchHere(node_id);
        remoteAgents.watch(node_id, consoles.watchedOn(node_id));
      },
    },
    now,
  );
  const subscriptions = new PanelSubscriptions(context, io.of('/server'), consoles);
  const presence: Presence = new Presence(context, subscriptions);
  const admin = openAdminGateway(context, io.of('/staff'));
  const figures = new FigureRecorder(context);
  const transfers = new Transfers(context, idle_ms === undefined ? {} : { idle_ms });
  const handler = createChangeHandler(context, { subscriptions, consoles, admin, transfers });
  changes = listenForChanges(app, handler);
  await changes.ready;

  const scheduling = createBatcher(
    () => scheduleWaiting(app).then(() => {}),
    (err) => log.warn({ err }, 'Waiting servers could not be scheduled, will retry'),
  );
  const handshakes = new LocalLimiter({ count: limits.handshakes, per_ms: 1000 }, 10_000);
  const checkHandshakeRate = (handshake: Handshake) => {
    if (!handshakes.hit(addressOf(handshake), performance.now()).allowed) throw new Refused('too_fast');
  };
  const connections = new ConnectionCounter();
  requireUser(context, io.of('/server'), { checkHandshakeRate, connections });
  requireUser(context, io.of('/staff'), { checkHandshakeRate, connections });
  openPanelGateway({ context, subscriptions, consoles, billing });
  openPlaneGateway(context, { relay, sealer, versions: link });
  openAgentGateway(context, {
    ...{ consoles, relay, figures, transfers, checkHandshakeRate },
    onAgentConnected(agent) {
      watchHere(agent.node_id);
      remoteAgents.follow(agent.node_id);
      relay.agent(agent, true);
      onAgentReady(agent.node_id);
    },
    onAgentDisconnected(agent) {
      relay.agent(agent, false);
      remoteAgents.follow(agent.node_id);
      subscriptions.broadcastNode(agent.node_id, false, now());
    },
    onHeartbeat: () => admin.notifyNodes(),
    onCapacityAdded: () => scheduling.add(''),
  });
  io.attach(server);
  const revalidation = setInterval(() => handler.onChange('rights'), revalidate_ms).unref();
  const syncs = setInterval(() => {
    for (const agent of agents.values())
      if (agent.reconciled)
        syncAgent(context, agent).catch((err) => log.warn({ err }, 'Desired state could not be read'));
  }, sync_ms).unref();

  return {
    ...{ context, subscriptions, consoles, figures, transfers, links, checkHandshakeRate },
    join: (address) => membership.join(address),
    idle: () => handler.idle(),
    async close() {
      // clients must not reconnect to a process that ends
      server.close();
      clearInterval(revalidation);
      clearInterval(syncs);
      scheduling.stop();
      handler.stop();
      admin.stop();
      presence.close();
      await activity.close();
      transfers.close();
      await changes.stop();
      consoles.close();
      await figures.close();
      relay.close();
      remoteAgents.close();
      links.close();
      await membership.close();
      await releaseLeases(sql, context.id).catch((err) => log.warn({ err }, 'Leases could not be released'));
      // closes the connections, not the sockets: every client reconnects, here or elsewhere
      io.engine.close();
    },
  };
}

/** Drops every connection, and accepts new ones: clients reconnect, here or elsewhere. */
function dropConnections(io: Server): void {
  const { clients } = io.engine as unknown as { clients: Record<string, { close(discard: boolean): void }> };
  for (const client of Object.values(clients)) client.close(true);
}

function createSocketServer(): Server {
  const io = new Server({
    transports: ['websocket'],
    path: '/socket.io',
    serveClient: false,
    perMessageDeflate: false,
    maxHttpBufferSize: max_message_bytes,
    parser: boundedParser,
    connectTimeout: 10_000,
  });
  // the default namespace has no use: without this a client could hold sockets there without a token
  io.use((socket, next) => {
    next(new Error('Connect to /server, /staff or /agent.'));
    setImmediate(() => socket.conn.close()); // after the refusal was sent
  });
  return io;
}

/** Listens on the channel `hosting` (migration 0100), and to the clock for notices. */
function listenForChanges({ sql, log, now }: AppContext, handler: ChangeHandler) {
  let upToDate = true;
  const notices = scheduleNotices({ sql, log, now }, () => handler.onChange('notices'));
  const subscription = new PgSubscription(sql, {
    name: 'hosting',
    log,
    channels: ['hosting'],
    onChange(_channel, what) {
      const since = now();
      handler.onChange(what);
      if (what === 'notices') notices.schedule(since);
    },
    onReconnect() {
      const since = now();
      upToDate = false;
      handler.resync();
      void handler.idle().then(() => {
        upToDate = true;
      });
      notices.schedule(since);
    },
  });
  return {
    ready: subscription.ready,
    isListening: () => subscription.isConnected && upToDate,
    async stop() {
      notices.stop();
      await subscription.close();
    },
  };
}
