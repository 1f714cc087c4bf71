import { z } from 'zod';
import { overcommits } from '#db/hosting/nodes/rules.ts';
import { type NodeView, nodeView } from '#db/hosting/nodes/view.ts';
import { type PlaneView, planeView } from '#db/hosting/planes/view.ts';
import { moveView } from '#db/hosting/servers/moves/read.ts';
import { staffSuspensions } from '#db/hosting/servers/rules.ts';
import { max_query, pageSizes, searchedStates } from '#db/hosting/servers/staff/rules.ts';
import { foundServers, type StaffServer } from '#db/hosting/servers/staff/view.ts';
import { serverView } from '#db/hosting/servers/view.ts';
import { regions } from '#db/money/billing/rules.ts';
import type { ClientEvents, RequestMap } from './ack.ts';

/** What administrators and the control plane send each other over Socket.IO, namespace /staff. Source: hosting §5.2. */

const id = z.string().regex(/^[0-9A-Za-z]{1,11}$/);
const server = z.strictObject({ server: serverView });
const port = z.int().min(0).max(100_000);
/** The command that makes a machine this node: shown once, since only the hash of its token is stored. */
const joining = z.strictObject({ node: nodeView, command: z.string(), expires: z.string() });
/** A move with why it failed, in the language of the socket. */
const staffMove = moveView.extend({ why: z.string().nullable() });
export type StaffMove = z.output<typeof staffMove>;

/** Every request of an administrator: the shapes of message and answer, and its rate limit. */
export const staffRequests = {
  /** All nodes and control planes, now and as they change: event `nodes`. */
  'node.list': {
    input: z.object({}),
    output: z.strictObject({ nodes: z.array(nodeView), planes: z.array(planeView) }),
    limit: 'calls',
  },
  /** A new node. What is left out comes from its agent, or has defaults. */
  'node.add': {
    input: z.object({
      name: z.string().max(100),
      region: z.enum(regions),
      /** The host name or IP address that players use. */
      public_address: z.string().max(300),
      bind_address: z.union([z.ipv4(), z.ipv6()]).optional(),
      port_from: port.optional(),
      port_to: port.optional(),
      overcommit: z.number().min(overcommits.least).max(overcommits.most).optional(),
      ram_gb: z.int().min(1).max(65_536).optional(),
      /** Cores. */
      cpu: z.number().min(0.1).max(4_096).optional(),
      disk_gb: z.int().min(1).max(1_048_576).optional(),
    }),
    output: joining,
    limit: 'calls',
  },
  /** Another join command; the one before becomes invalid, and the agent before is refused once somebody joins with it. */
  'node.rejoin': { input: z.object({ node_id: id }), output: joining, limit: 'calls' },
  /** A new secret for its agent; the one before stays valid for a day. Null when the agent has it already, else shown once. */
  'node.rotate': {
    input: z.object({ node_id: id }),
    output: z.strictObject({ secret: z.string().nullable() }),
    limit: 'joins',
  },
  /** Removes a node without servers. */
  'node.remove': { input: z.object({ node_id: id }), output: z.object({}), limit: 'calls' },
  'node.drain': {
    input: z.object({ node_id: id, draining: z.boolean() }),
    output: z.strictObject({ node: nodeView }),
    limit: 'calls',
  },
  /** The DNS records of all servers with a name, as text for a name server. */
  'dns.zone': { input: z.object({}), output: z.strictObject({ zone: z.string() }), limit: 'joins' },
  /** Servers of everybody, newest first, in pages; those that are shown come again as they change: event `servers`. */
  'server.search': {
    input: z.object({
      /** Part of a name, of the name of an owner or of an address, or a whole ID. */
      query: z.string().max(max_query).default(''),
      state: z.enum(searchedStates).optional(),
      node_id: id.optional(),
      /** `next` of the page before. */
      after: z.string().max(40).optional(),
      limit: z.int().min(1).max(pageSizes.most).default(pageSizes.usual),
    }),
    output: foundServers,
    limit: 'calls',
  },
  /** Another size, on the same node. What is left out follows from the memory as with plans. */
  'server.resize': {
    input: z.object({
      server_id: id,
      ram_gb: z.int().min(1).max(1024),
      /** Cores. */
      cpu: z.number().min(0.1).max(256).optional(),
      disk_gb: z.int().min(1).max(65_536).optional(),
    }),
    output: server,
    limit: 'calls',
  },
  'server.suspend': {
    input: z.object({ server_id: id, reason: z.enum(staffSuspensions) }),
    output: server,
    limit: 'calls',
  },
  /** Moves to another node: to this one, or to the emptiest of its region. `drop_backups`: those that only its node has. */
  'server.move': {
    input: z.object({ server_id: id, op_id: z.uuid(), node_id: id.nullable(), drop_backups: z.boolean() }),
    output: server,
    limit: 'calls',
  },
  /** Before it has left its node. */
  'server.cancel_move': { input: z.object({ server_id: id }), output: server, limit: 'calls' },
  /** Moves that go on, then those that ended, newest first, in pages; the first page comes again as it changes: event `moves`. */
  'move.list': {
    input: z.object({ before: z.uuid().nullable().default(null) }),
    output: z.strictObject({ moves: z.array(staffMove), next: z.string().nullable() }),
    limit: 'calls',
  },
  /** Drains a node and moves its servers away, one after the other. */
  'node.empty': {
    input: z.object({ node_id: id, drop_backups: z.boolean() }),
    output: z.strictObject({
      moving: z.int(),
      /** Servers that cannot be moved, and why: a code, and in the language of the socket. */
      staying: z.array(
        z.strictObject({ server_id: z.string(), name: z.string(), code: z.string(), why: z.string() }),
      ),
    }),
    limit: 'calls',
  },
  /** Its machine is lost for good: servers with a backup elsewhere are restored on other nodes, the others are lost. */
  'node.give_up': {
    input: z.object({ node_id: id }),
    output: z.strictObject({ rescued: z.int(), lost: z.int() }),
    limit: 'calls',
  },
  'server.resume': { input: z.object({ server_id: id }), output: server, limit: 'calls' },
} as const satisfies RequestMap;

/** Administrator to control plane. */
export type StaffRequests = ClientEvents<typeof staffRequests>;

/** Control plane to administrator. */
export interface StaffEvents {
  nodes(message: { nodes: NodeView[]; planes: PlaneView[] }): void;
  /** Of the servers that the last search showed, those that changed, and those that are gone. */
  servers(message: { servers: StaffServer[]; gone: string[] }): void;
  moves(message: { moves: StaffMove[]; next: string | null }): void;
}
