import type { RefusalCode } from '../errors.ts';
import { type Actor, isAdmin } from '../people/rules.ts';

/** What holds for the machines that carry game servers. Source: hosting §5, §6. */

/** A node that was not heard for so long counts as away: its servers are shown as `unknown`. */
export const offline_after_ms = 25_000;
/** A join token is good for a day. */
export const join_token_ttl_ms = 24 * 3_600_000;
/** After a rotation the secret before it still opens the door for so long. */
export const secret_overlap_ms = 24 * 3_600_000;

export const nodeStates = ['new', 'online', 'degraded', 'offline'] as const;
export type NodeState = (typeof nodeStates)[number];

/** Why `actor` may not see the nodes of the fleet, or null: only administrators do. */
export const whyNotSeeNodes = (actor: Actor | null): RefusalCode | null =>
  !actor ? 'authentication_required' : isAdmin(actor) ? null : 'admins_only';

/** Why a node cannot have this name, or null. */
export const whyNotNodeName = (name: string): RefusalCode | null =>
  /^[a-z0-9][a-z0-9-]{0,31}$/.test(name) ? null : 'node_name_invalid';
