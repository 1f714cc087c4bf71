import type { EventEmitter } from 'node:events';
import type { Logger } from 'pino';
import type { Server } from 'socket.io';
import type { OpenRecord } from '#db/record.ts';
import { operationById } from '#db/servers/operations.ts';
import { serversById, wantedById } from '#db/servers/read.ts';
import { checkLease, offerAll } from './agents/door.ts';
import type { AgentLink } from './agents/link.ts';
import { rotate } from './agents/rotate.ts';
import type { Knock } from './callers.ts';
import type { Consoles } from './console/consoles.ts';
import { gather } from './gather.ts';
import type { Panels } from './panel/panels.ts';
import type { Parcels } from './parcels.ts';
import { roomOf } from './rooms.ts';
import type { Staff } from './staff.ts';

/** What the parts of one control plane share: who is connected here. Nothing in it is the truth of anything. */
export interface Hub {
  /** Of this process; agents are held under it. */
  id: string;
  /** The label of everything this installation runs. */
  installation: string;
  record: OpenRecord;
  log: Logger;
  io: Server;
  /** Throws `too_fast` when too many handshakes come from one address. */
  knock(knock: Knock): void;
  /** Agents connected here, by node. */
  links: Map<string, AgentLink>;
  consoles: Consoles;
  parcels: Parcels;
  panels: Panels;
  staff: Staff;
  /** Whether news of the record come: what was read stays true until they say otherwise. */
  hears(): boolean;
  /** Tells the id of a node whose agent came and was told everything. */
  arrivals: EventEmitter;
  agentCame(link: AgentLink): void;
  agentWent(link: AgentLink): void;
  nodeHeard(node_id: string): void;
  /** A node can carry servers from now on: those that wait for a place are tried at once. */
  roomCame(): void;
}

/**
 * What is done when the record says that something changed: agents here are told what is wanted, people here what is
 * seen. Everything is read anew, so hearing of a thing twice, or late, does no harm.
 */
export function newsDesk(hub: Hub): {
  heard(what: string): void;
  fresh(): void;
  stop(): void;
  idle(): Promise<void>;
} {
  const failed = (err: unknown) =>
    hub.log.warn({ err }, 'News about servers could not be looked at; they are tried again');
  const servers = gather((ids) => lookAtServers(hub, ids), failed);
  const operations = gather((ids) => lookAtOperations(hub, ids), failed);
  const nodes = gather((ids) => lookAtNodes(hub, ids), failed);
  const rights = gather(() => hub.panels.checkRights(), failed);
  const notices = gather(() => hub.panels.tellNotices(), failed);
  const everything = gather(() => lookAtEverything(hub), failed);
  const desks: Record<string, { add(key: string): void }> = { server: servers, op: operations, node: nodes };
  return {
    heard(what) {
      const [kind = '', id = ''] = what.split(':', 2);
      if (kind === 'rights') rights.add('');
      else if (kind === 'notices') notices.add('');
      else desks[kind]?.add(id);
    },
    fresh: () => everything.add(''),
    stop() {
      for (const desk of [servers, operations, nodes, rights, notices, everything]) desk.stop();
    },
    async idle() {
      for (const desk of [servers, operations, nodes, rights, notices, everything]) await desk.idle();
    },
  };
}

async function lookAtServers(hub: Hub, ids: string[]): Promise<void> {
  const { sql, now } = hub.record;
  hub.panels.looked += 1;
  const wanted = await wantedById(sql, ids);
  const placed = new Set(wanted.map(({ server_id }) => server_id));
  for (const one of wanted) void hub.links.get(one.node_id)?.offer(one);
  for (const id of ids) if (!placed.has(id)) for (const link of hub.links.values()) link.forget(id);
  const watched = ids.filter((id) => hub.panels.isJoined(id));
  if (watched.length > 0) hub.panels.tellServers(watched, await serversById(sql, watched, now()));
}

async function lookAtOperations(hub: Hub, ids: string[]): Promise<void> {
  for (const id of ids) {
    const operation = await operationById(hub.record.sql, id);
    if (!operation) continue;
    const { server_id, kind, state, result, node_id } = operation;
    hub.io
      .of('/server')
      .to(roomOf(server_id, 'tasks'))
      .emit('task', { server_id, op_id: id, kind, state, result });
    if (state !== 'waiting' && state !== 'accepted') await hub.parcels.ended(id);
    if (state === 'waiting' && node_id) void hub.links.get(node_id)?.run(operation);
  }
}

async function lookAtNodes(hub: Hub, ids: string[]): Promise<void> {
  for (const id of ids) {
    const link = hub.links.get(id);
    if (!link) continue;
    await checkLease(hub, link);
    void rotate(hub, link); // its answer may take long
  }
  hub.staff.changed();
  // what is shown of a server depends on its node: `unknown` while that is away
  const ids_there = hub.panels.joinedOn(ids);
  if (ids_there.length > 0)
    hub.panels.tellServers(ids_there, await serversById(hub.record.sql, ids_there, hub.record.now()));
}

/** After a pause in the news nobody knows what was missed. */
async function lookAtEverything(hub: Hub): Promise<void> {
  for (const link of hub.links.values()) {
    await checkLease(hub, link);
    if (link.socket.connected && link.reconciled) await offerAll(hub, link);
  }
  await hub.panels.checkRights();
  const joined = hub.panels.joinedServers();
  for (let at = 0; at < joined.length; at += 200) {
    const ids = joined.slice(at, at + 200);
    hub.panels.tellServers(ids, await serversById(hub.record.sql, ids, hub.record.now()));
  }
  await hub.panels.tellNotices();
  hub.staff.changed();
}
