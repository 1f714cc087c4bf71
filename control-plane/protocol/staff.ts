import { z } from 'zod';
import { type NodeView, nodeView } from '#db/nodes/view.ts';
import { type PlaneView, planeView } from '#db/planes/view.ts';
import { staffSuspensions } from '#db/servers/rules.ts';
import { serverView } from '#db/servers/view.ts';
import type { ClientEvents, RequestMap } from './ack.ts';

/** What administrators and the control plane send each other over Socket.IO, namespace /staff. Source: hosting §5.2. */

const id = z.string().regex(/^[0-9A-Za-z]{1,11}$/);
const server = z.strictObject({ server: serverView });

/** Every request of an administrator: the shapes of message and answer, and its rate limit. */
export const staffRequests = {
  /** All nodes and control planes, now and as they change: event `nodes`. */
  'node.list': {
    input: z.object({}),
    output: z.strictObject({ nodes: z.array(nodeView), planes: z.array(planeView) }),
    limit: 'calls',
  },
  'node.drain': {
    input: z.object({ node_id: id, draining: z.boolean() }),
    output: z.strictObject({ node: nodeView }),
    limit: 'calls',
  },
  /** The DNS records of all servers with a name, as text for a name server. */
  'dns.zone': { input: z.object({}), output: z.strictObject({ zone: z.string() }), limit: 'joins' },
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
  'server.resume': { input: z.object({ server_id: id }), output: server, limit: 'calls' },
} as const satisfies RequestMap;

/** Administrator to control plane. */
export type StaffRequests = ClientEvents<typeof staffRequests>;

/** Control plane to administrator. */
export interface StaffEvents {
  nodes(message: { nodes: NodeView[]; planes: PlaneView[] }): void;
}
