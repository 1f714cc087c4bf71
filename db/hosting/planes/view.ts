import { z } from 'zod';

/** A control plane as staff see it. */
export const planeView = z.strictObject({
  id: z.string(),
  /** The machine it runs on, and where the others reach it. */
  host: z.string(),
  address: z.string(),
  release: z.string(),
  /** Versions of the link between planes that it speaks. */
  protocol: z.strictObject({ min: z.int(), max: z.int() }),
  /** Whether its last heartbeat is recent. */
  alive: z.boolean(),
  /** Agents connected to it, nodes whose lease it holds, and viewers of consoles. */
  agents: z.int(),
  leases: z.int(),
  viewers: z.int(),
  started: z.string(),
});
export type PlaneView = z.output<typeof planeView>;
