import { z } from 'zod';
import { backupPlaces } from './backups.ts';
import { transferFacts } from './transfers.ts';

const whole = z.int().min(0);
const delay_ms = z.number().min(0);

/** `heartbeat`, every `heartbeat_ms` (agent.ts); `ports_used` are the ports of its range that other programs of the host use. */
export const heartbeat = z.object({
  lease: whole,
  docker: z.enum(['up', 'down']),
  /** The delay of the agent's event loop since its last heartbeat; older agents leave it out. */
  event_loop: z.object({ p50_ms: delay_ms, p99_ms: delay_ms, max_ms: delay_ms }).optional(),
  facts: z.object({
    agent_version: z.string(),
    docker: z.string().nullable(),
    /** How disk limits of new servers are enforced: `image` by the kernel, `measured` by checking from time to time. */
    disk_mode: z.string(),
    /** Why they are measured, how many servers have no hard limit, and `roomOf` its disk; older agents leave them out. */
    disk_why: z.string().max(200).optional(),
    disk_measured: whole.optional(),
    disk_room: z.enum(['enough', 'low', 'none', 'exhausted']).optional(),
    kinds: z.array(z.string()),
    cpu_millis: z.int().positive(),
    ram_mb: z.int().positive(),
    disk_mb: z.int().positive(),
    disk_free_mb: whole,
    /** Free memory of its machine without swap; older agents leave it out. */
    ram_free_mb: whole.optional(),
    load: z.number(),
    /** It knows `sleep` of specifications; older agents leave it out. */
    can_sleep: z.boolean().optional(),
    /** Rules keep its servers from private networks; left out before it tried, and by older agents. */
    firewall: z.boolean().optional(),
    ...backupPlaces,
    ...transferFacts,
  }),
  ports_used: z.array(z.int()).max(4000),
});
export type Heartbeat = z.output<typeof heartbeat>;
