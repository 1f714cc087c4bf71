import { heartbeat_ms, operation, type SentSpec, serverSpec, type Welcome } from '#control/protocol/agent.ts';
import type { ServerStats } from '#control/protocol/console.ts';
import type { Platform } from '../backups/targets/platform.ts';
import { ConsoleSender, takeWithinBytes } from '../console/sender.ts';
import type { AgentContext } from '../context.ts';
import type { ServerRegistry } from '../operations/registry.ts';
import type { PortContext } from '../port/port-context.ts';
import { Stats } from '../server/stats.ts';
import type { AgentSettings } from '../settings.ts';
import { askPlane } from './ask-plane.ts';
import { askTransfers } from './ask-transfers.ts';
import { type AgentSocket, type ConnectionRejected, connect } from './client.ts';
import { answerQuery } from './file-queries.ts';
import { agentVersion, buildHeartbeat } from './heartbeat.ts';
import { Outbox } from './outbox.ts';
import { readSecret, saveSecret } from './secret.ts';

export interface SessionOptions {
  settings: AgentSettings;
  context: AgentContext;
  registry: ServerRegistry;
  boot_id: string;
  onRejected(error: ConnectionRejected): void;
}

const ack_timeout_ms = 20_000;
/** Between two messages about the progress of an operation. */
const progress_ms = 1_000;
/** With the interval of heartbeats below 10 s: another plane has to have the agent by then. */
const heartbeat_timeout_ms = 4_500;

/**
 * The session with the control plane: handles its messages and sends events, heartbeats, consoles and stats. Source:
 * hosting §5.
 */
export function openSession({ settings, context, registry, boot_id, onRejected }: SessionOptions) {
  const { store, log } = context;
  const outbox = new Outbox(store, log);
  const senders = new Map<string, ConsoleSender>();
  let watched = new Set<string>();
  let lease: number | null = null;
  let site_origin: string | null = null;
  /** When the progress of an operation was sent last. */
  const progress_sent = new Map<string, number>();

  const stats = new Stats(context, registry.controllers, (measured: ServerStats[]) => {
    if (lease !== null) socket.volatile.emit('stats', { lease, servers: measured });
  });

  const senderOf = (server_id: string): ConsoleSender | null => {
    const controller = registry.controllers.get(server_id);
    if (!controller) return null;
    let sender = senders.get(server_id);
    if (!sender) {
      sender = new ConsoleSender(controller.console, async (batch) => {
        if (lease === null) return false;
        try {
          const answer = await socket
            .timeout(ack_timeout_ms)
            .emitWithAck('console.lines', { lease, server_id, ...batch });
          return answer.ok;
        } catch {
          return false;
        }
      });
      senders.set(server_id, sender);
    }
    return sender;
  };

  const watch = (server_ids: string[]) => {
    const requested = new Set(server_ids);
    for (const server_id of watched) if (!requested.has(server_id)) senders.get(server_id)?.watch(false);
    watched = requested;
    for (const server_id of requested) senderOf(server_id)?.watch(true);
    stats.watch(server_ids);
  };

  const heartbeat = async () => {
    const now = lease;
    if (now === null) return;
    const message = await buildHeartbeat(context, now);
    if (lease !== now) return;
    // a refusal is an answer; without any the plane hangs, and another one may take over
    const answered = (error: Error | null) => {
      if (!error || lease !== now || settings.urls.length === 1) return;
      log.warn(
        { url: connection.url() },
        'The control plane does not answer heartbeats; trying the next one',
      );
      connection.reconnect();
    };
    socket.timeout(heartbeat_timeout_ms).volatile.emit('heartbeat', message, answered);
  };

  const onWelcome = async (message: Welcome, socket: AgentSocket) => {
    if (message.secret) {
      saveSecret(settings.data, message.secret);
      if (settings.join) store.recordToken(settings.join);
    }
    const first = store.identity() === null;
    const { node_id, lease: given, installation, node, clock_offset } = message;
    store.saveIdentity({ node_id, lease: given, installation, node, clock_offset });
    lease = given;
    site_origin = message.site_origin ?? null;
    log.info({ node: node.name, lease: given }, 'Connected to the control plane');
    // Docker's events are filtered by labels, which were unknown before
    if (first) context.docker.resubscribe();
    void heartbeat();
    const answer = await socket
      .timeout(ack_timeout_ms)
      .emitWithAck('inventory', { lease: given, servers: store.servers.inventory() });
    if (lease !== given) return;
    // the control plane could not answer: connecting again repeats the inventory
    if (!answer.ok) throw new Error(answer.description);
    for (const spec of answer.specs) applySpec(spec);
    for (const server_id of answer.deleted) registry.markDeleted(server_id);
    registry.enableStrayRemoval();
    registry.onDockerUp();
    outbox.attach({ socket, lease: given });
    for (const sender of senders.values()) sender.resend();
  };

  const applySpec = (spec: SentSpec): number => {
    const parsed = serverSpec.safeParse(spec);
    if (parsed.success) return registry.applySpec(parsed.data);
    log.error({ err: parsed.error }, 'A specification is invalid');
    return 0;
  };

  const connection = connect({
    urls: settings.urls,
    log,
    agent_version: agentVersion,
    boot_id,
    credentials() {
      const { join } = settings;
      // a token that was not used yet is for joining (again)
      const secret = join && !store.hasUsedToken(join) ? null : readSecret(settings.data);
      const node_id = store.identity()?.node_id;
      if (secret) return { ...(node_id ? { node_id } : {}), secret };
      return join ? { join_token: join } : {};
    },
    onWelcome: (message, socket) =>
      void onWelcome(message, socket).catch((error) => {
        log.warn({ err: error }, 'The control plane did not answer the inventory');
        if (socket.connected) connection.reconnect();
      }),
    onDisconnect() {
      lease = null;
      outbox.attach(null);
      context.transfers.cutAll();
    },
    onRejected,
  });
  const { socket } = connection;

  socket.on('spec.put', (spec, ack) => ack({ generation: applySpec(spec) }));
  socket.on('spec.delete', ({ server_id }, ack) => {
    registry.markDeleted(server_id);
    ack({ ok: true });
  });
  socket.on('operation.run', (message, ack) => {
    const parsed = operation.safeParse(message);
    if (!parsed.success || lease === null) return ack({ status: lease === null ? 'stale' : 'invalid' });
    const plane_now = context.now() + (store.identity()?.clock_offset ?? 0);
    ack(registry.operations.accept(parsed.data, { lease, plane_now }));
  });
  socket.on('console.write', async (message, ack) => {
    if (message.lease !== lease) return ack({ delivered: false, why: 'stale' });
    ack(await registry.writeConsole(message.server_id, message.text));
  });
  socket.on('watch', ({ server_ids }) => watch(server_ids));
  socket.on('console.tail', async ({ server_id, before, limit }, ack) => {
    const controller = registry.controllers.get(server_id);
    if (!controller) return ack({ epoch: null, lines: [], first: 1 });
    await controller.loadOldLog();
    const { buffer, epoch } = controller.console;
    // the newest lines take precedence
    const lines = takeWithinBytes(buffer.before(before, limit).reverse(), 400_000).reverse();
    ack({ epoch, lines, first: buffer.first });
  });
  socket.on('console.commands', async ({ server_id }, ack) => {
    const controller = registry.controllers.get(server_id);
    ack((await controller?.commands()) ?? { epoch: null, commands: [] });
  });
  socket.on('files.query', async ({ server_id, lease: given, query, args }, ack) => {
    const controller = registry.controllers.get(server_id);
    if (given !== lease) return ack({ ok: false, error: 'lease_stale', data: {} });
    if (!controller || controller.stored?.deleted)
      return ack({ ok: false, error: 'server_not_found', data: {} });
    ack(await answerQuery(controller, { query, args }));
  });
  socket.on('transfer.cut', ({ transfer_id, why }) => context.transfers.cut(transfer_id, why));
  socket.on('backups.discard', async ({ lease: given, backups }, ack) => {
    ack({ removed: given === lease ? await context.backups.discard(backups) : [] });
  });
  socket.on('secret.rotate', ({ secret }, ack) => {
    try {
      saveSecret(settings.data, secret);
    } catch (err) {
      // the old secret stays valid until the new one is acknowledged
      log.error({ err }, 'A new secret could not be stored');
      return;
    }
    ack({ ok: true });
  });

  const beating = setInterval(
    () => void heartbeat().catch((err) => log.warn({ err }, 'A heartbeat could not be sent')),
    heartbeat_ms,
  );
  return {
    /** Address of the control plane in use. */
    url: connection.url,
    /** Asks the control plane about backups at its storage. */
    ask: ((request, question) =>
      askPlane({ socket, lease: () => lease }, request, question)) as Platform['ask'],
    /** Asks the control plane about transfers at the port of this agent. */
    askTransfers: ((request, question) =>
      askTransfers(
        { socket, lease: () => (site_origin === null ? null : lease) },
        request,
        question,
      )) as PortContext['ask'],
    /** The origin of the site; null before a plane told it. */
    siteOrigin: () => site_origin,
    onEventRecorded: () => outbox.flush(),
    /** Sends how far an operation is, at most once a second. */
    onProgress(server_id: string, op_id: string, done: number, total: number | null) {
      const now = context.now();
      if (lease === null || now - (progress_sent.get(op_id) ?? 0) < progress_ms) return;
      // those that ended are forgotten at some time
      if (progress_sent.size > 1_000) progress_sent.clear();
      progress_sent.set(op_id, now);
      socket.volatile.emit('operation.progress', { lease, server_id, op_id, done, total });
    },
    onConsoleLines(server_id: string) {
      if (!watched.has(server_id)) return;
      const sender = senderOf(server_id);
      sender?.watch(true);
      sender?.onLines();
    },
    /** The set of running servers changed: refreshes stats and console senders. */
    onObservedChanged() {
      stats.refresh();
      for (const server_id of watched) senderOf(server_id)?.watch(true);
    },
    close() {
      clearInterval(beating);
      lease = null;
      for (const sender of senders.values()) sender.stop();
      stats.close();
      connection.close();
    },
  };
}
