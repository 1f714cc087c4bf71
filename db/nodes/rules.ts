import type { RefusalCode } from '../errors.ts';
import { type Actor, isAdmin } from '../people/rules.ts';

/** Rules for the machines that run game servers. Source: hosting §5, §6. */

/** A node without a heartbeat for this long is offline: its servers are shown as `unknown`. */
export const offline_after_ms = 25_000;
/** Lifetime of a join token: a day. */
export const join_token_ttl_ms = 24 * 3_600_000;
/** How long the previous secret stays valid after a rotation. */
export const secret_overlap_ms = 24 * 3_600_000;

export const nodeStates = ['new', 'online', 'degraded', 'offline'] as const;
export type NodeState = (typeof nodeStates)[number];

/** Why `actor` may not see the nodes, or null: only administrators may. */
export const whyNotSeeNodes = (actor: Actor | null): RefusalCode | null =>
  !actor ? 'authentication_required' : isAdmin(actor) ? null : 'admins_only';

/** Why a node name is invalid, or null. */
export const whyNotNodeName = (name: string): RefusalCode | null =>
  /^[a-z0-9][a-z0-9-]{0,31}$/.test(name) ? null : 'node_name_invalid';
