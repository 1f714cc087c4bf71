import {
  heartbeat_ms,
  operation,
  type ServerSpec,
  serverSpec,
  type Welcome,
} from '#control/protocol/agent.ts';
import type { ServerStats } from '#control/protocol/console.ts';
import { fitting, Sender } from './console/sender.ts';
import { agentVersion, beat } from './facts.ts';
import type { Fleet } from './fleet.ts';
import { type AgentSocket, dial, type TurnedAway } from './link.ts';
import { Outbox } from './outbox.ts';
import { keepSecret, readSecret } from './secret.ts';
import type { AgentSettings } from './settings.ts';
import { Stats } from './stats.ts';
import type { Workshop } from './workshop.ts';

export interface LineNeeds {
  settings: AgentSettings;
  shop: Workshop;
  fleet: Fleet;
  boot_id: string;
  turnedAway(error: TurnedAway): void;
}

const answer_ms = 20_000;

/** The line to the plane: what it says is done here, what happens here is told it. Source: hosting §5. */
export function openLine({ settings, shop, fleet, boot_id, turnedAway }: LineNeeds) {
  const { journal, log } = shop;
  const outbox = new Outbox(journal, log);
  const senders = new Map<string, Sender>();
  let watched = new Set<string>();
  let lease: number | null = null;

  const stats = new Stats(shop, fleet.keepers, (measured: ServerStats) => {
    if (lease !== null) socket.volatile.emit('stats', { lease, servers: [measured] });
  });

  const senderOf = (server_id: string): Sender | null => {
    const keeper = fleet.keepers.get(server_id);
    if (!keeper) return null;
    let sender = senders.get(server_id);
    if (!sender) {
      sender = new Sender(keeper.console, async (batch) => {
        if (lease === null) return false;
        try {
          const answer = await socket
            .timeout(answer_ms)
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
    const wanted = new Set(server_ids);
    for (const server_id of watched) if (!wanted.has(server_id)) senders.get(server_id)?.watch(false);
    watched = wanted;
    for (const server_id of wanted) senderOf(server_id)?.watch(true);
    stats.watch(server_ids);
  };

  const heartbeat = async () => {
    const now = lease;
    if (now === null) return;
    const message = await beat(shop, now);
    if (lease === now) socket.volatile.emit('heartbeat', message, () => {});
  };

  const welcome = async (message: Welcome, line: AgentSocket) => {
    if (message.secret) {
      keepSecret(settings.data, message.secret);
      if (settings.join) journal.joinedBy(settings.join);
    }
    const first = journal.identity() === null;
    const { node_id, lease: given, installation, node, clock_offset } = message;
    journal.keepIdentity({ node_id, lease: given, installation, node, clock_offset });
    lease = given;
    log.info({ node: node.name, lease: given }, 'The control plane welcomed this node');
    // the engine's events are asked for by labels, which were not known before
    if (first) shop.engine.renamed();
    void heartbeat();
    const answer = await line
      .timeout(answer_ms)
      .emitWithAck('inventory', { lease: given, servers: journal.servers.inventory() });
    if (lease !== given) return;
    // not read from the record just now: dialling again asks again
    if (!answer.ok) throw new Error(answer.description);
    for (const spec of answer.specs) put(spec);
    for (const server_id of answer.deleted) fleet.drop(server_id);
    fleet.known();
    fleet.engineUp();
    outbox.line({ socket: line, lease: given });
    for (const sender of senders.values()) sender.again();
  };

  const put = (spec: ServerSpec): number => {
    const parsed = serverSpec.safeParse(spec);
    if (parsed.success) return fleet.put(parsed.data);
    log.error({ err: parsed.error }, 'A specification could not be understood');
    return 0;
  };

  const { socket, close } = dial({
    url: settings.url,
    log,
    agent_version: agentVersion,
    boot_id,
    shown() {
      const { join } = settings;
      // a token it has not used yet is there to join (again) with
      const secret = join && !journal.hasJoinedBy(join) ? null : readSecret(settings.data);
      const node_id = journal.identity()?.node_id;
      if (secret) return { ...(node_id ? { node_id } : {}), secret };
      return join ? { join_token: join } : {};
    },
    welcome: (message, line) =>
      void welcome(message, line).catch((error) => {
        log.warn({ err: error }, 'The control plane did not answer after its welcome');
        if (line.connected) line.disconnect().connect();
      }),
    lost() {
      lease = null;
      outbox.line(null);
    },
    turnedAway,
  });

  socket.on('spec.put', (spec, taken) => taken({ generation: put(spec) }));
  socket.on('spec.delete', ({ server_id }, taken) => {
    fleet.drop(server_id);
    taken({ ok: true });
  });
  socket.on('operation.run', (message, taken) => {
    const parsed = operation.safeParse(message);
    if (!parsed.success || lease === null) return taken({ status: lease === null ? 'stale' : 'invalid' });
    const plane_now = shop.now() + (journal.identity()?.clock_offset ?? 0);
    taken(fleet.operations.accept(parsed.data, { lease, plane_now }));
  });
  socket.on('console.write', async (message, taken) => {
    if (message.lease !== lease) return taken({ delivered: false, why: 'stale' });
    taken(await fleet.type(message.server_id, message.text));
  });
  socket.on('watch', ({ server_ids }) => watch(server_ids));
  socket.on('console.tail', async ({ server_id, before, limit }, taken) => {
    const keeper = fleet.keepers.get(server_id);
    if (!keeper) return taken({ epoch: null, lines: [], first: 1 });
    await keeper.recall();
    const { ring, epoch } = keeper.console;
    // the newest ones fit first
    const lines = fitting(ring.before(before, limit).reverse(), 400_000).reverse();
    taken({ epoch, lines, first: ring.first });
  });
  socket.on('secret.rotate', ({ secret }, taken) => {
    try {
      keepSecret(settings.data, secret);
    } catch (err) {
      // the one before counts on while nobody says that this one is kept
      log.error({ err }, 'A new secret could not be kept');
      return;
    }
    taken({ ok: true });
  });

  const beating = setInterval(
    () => void heartbeat().catch((err) => log.warn({ err }, 'No heartbeat')),
    heartbeat_ms,
  );
  return {
    eventAdded: () => outbox.kick(),
    consoleAdded(server_id: string) {
      if (!watched.has(server_id)) return;
      const sender = senderOf(server_id);
      sender?.watch(true);
      sender?.added();
    },
    /** What runs changed: who is measured, and whose console is sent. */
    seenChanged() {
      stats.look();
      for (const server_id of watched) senderOf(server_id)?.watch(true);
    },
    close() {
      clearInterval(beating);
      lease = null;
      for (const sender of senders.values()) sender.stop();
      stats.close();
      close();
    },
  };
}
