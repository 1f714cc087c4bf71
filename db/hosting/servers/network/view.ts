import { z } from 'zod';
import { domainProblems, domainStates } from './rules.ts';

const record = z.strictObject({ type: z.string(), name: z.string(), value: z.string() });

/** A domain of an owner, the records that it needs, and what was found last. */
const domainView = z.strictObject({
  /** In punycode. */
  domain: z.string(),
  /** As people read it. */
  shown: z.string(),
  state: z.enum(domainStates),
  /** To be set; an SRV record has `priority weight port target`. */
  records: z.array(record),
  found: z.strictObject({ problem: z.enum(domainProblems).nullable(), records: z.array(record) }),
  checked: z.string().nullable(),
  /** When it is checked again by itself; null when only users ask. */
  next_check: z.string().nullable(),
});
export type DomainView = z.output<typeof domainView>;

/** How a server is reached. */
export const networkView = z.strictObject({
  /** Its node's address and the port of the game; null before it is on one. */
  address: z.strictObject({ host: z.string(), port: z.int() }).nullable(),
  /** Lowest first. */
  ports: z.array(z.strictObject({ port: z.int(), name: z.string() })),
  most: z.int(),
  /** Removed ports that its process still has until it is restarted. */
  open_until_restart: z.array(z.int()),
  /** Its node's agent does not know extra ports. */
  agent_outdated: z.boolean(),
  domain: domainView.nullable(),
});
export type NetworkView = z.output<typeof networkView>;
