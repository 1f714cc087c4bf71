import { z } from 'zod';
import { moveSteps } from '../moves/rules.ts';
import { serverView } from '../view.ts';

/** A server as staff find it. */
const staffServer = z.strictObject({
  server: serverView,
  owner: z.strictObject({ id: z.string(), username: z.string() }),
  node_id: z.string().nullable(),
  /** Finished backups that only its node has: a move would lose them. */
  backups_on_node: z.int(),
  /** How far it is on its way to another node; null when it is not. */
  move_step: z.enum(moveSteps).nullable(),
});
export type StaffServer = z.output<typeof staffServer>;

/** One page of a search, newest server first. */
export const foundServers = z.strictObject({
  servers: z.array(staffServer),
  /** How many match, counted up to `max_counted`. */
  count: z.int(),
  /** Where the next page begins; null on the last one. */
  next: z.string().nullable(),
});
export type FoundServers = z.output<typeof foundServers>;
