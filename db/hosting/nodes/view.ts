import { z } from 'zod';
import { nodeStates } from './rules.ts';

/**
 * Last agent report about its machine. `disk_mode`, of new servers: `image` is enforced by the kernel, `measured` by
 * polling.
 */
const nodeFacts = z.object({
  agent_version: z.string(),
  /** Version of the protocol that it speaks with the control plane. */
  protocol: z.int().optional(),
  docker: z.string().nullable(),
  disk_mode: z.string(),
  /** Why it polls, how many servers have no limit by the kernel, and whether its disk has room; older agents leave them out. */
  disk_why: z.string().optional(),
  disk_measured: z.int().optional(),
  disk_room: z.string().optional(),
  kinds: z.array(z.string()),
  cpu_millis: z.int(),
  ram_mb: z.int(),
  disk_mb: z.int(),
  disk_free_mb: z.int(),
  ram_free_mb: z.int().optional(),
  load: z.number(),
  /** It lets servers sleep; older agents leave it out. */
  can_sleep: z.boolean().optional(),
  /** Rules keep its servers from private networks; older agents leave it out. */
  firewall: z.boolean().optional(),
  /** Where its agent can keep backups, and which S3 store it has; older agents leave them out. */
  backup_targets: z.array(z.string()).optional(),
  backup_store: z.string().optional(),
  /** The origin of the port at which its agent gives and takes files itself. */
  transfer_url: z.string().optional(),
});
export type NodeFacts = z.output<typeof nodeFacts>;

const share = z.strictObject({ promised: z.number(), real: z.number(), most: z.number() });

/** A node as staff see it. `promised` is allocated, `real` is there, `most` may be allocated (overcommit included). */
export const nodeView = z.strictObject({
  id: z.string(),
  name: z.string(),
  region: z.string(),
  public_address: z.string(),
  status: z.enum(nodeStates),
  draining: z.boolean(),
  last_seen: z.string().nullable(),
  servers: z.int(),
  running: z.int(),
  /** Of its servers, those that are being deleted. */
  leaving: z.int(),
  /** Files of servers that move away, kept until they have arrived. */
  copies: z.int(),
  ram_mb: share.nullable(),
  cpu_millis: share.nullable(),
  disk_mb: share.nullable(),
  ports: z.strictObject({ used: z.int(), all: z.int() }),
  overcommit: z.number(),
  facts: nodeFacts.partial(),
});
export type NodeView = z.output<typeof nodeView>;
