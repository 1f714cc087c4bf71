import type { RefusalCode } from '../../platform/errors.ts';
import { type Actor, isAdmin } from '../../platform/people/rules.ts';

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

/** Ports that a node may have, and those that a new one has unless the operator says otherwise. */
export const nodePorts = { least: 1024, most: 65_535, from: 25_600, to: 25_999 } as const;
/** Overcommit factors that a node may have. */
export const overcommits = { least: 0.1, most: 100 } as const;

const host_name =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;
const ipv6 = /^(?=.{2,45}$)[0-9a-f]*:[0-9a-f:]*(?:\d{1,3}(?:\.\d{1,3}){3})?$/i;

/** Why a node with these settings cannot be, or null: `address` is a host name or an IP address, without a port. */
export function whyNotNode(node: {
  name: string;
  public_address: string;
  port_from?: number | undefined;
  port_to?: number | undefined;
}): RefusalCode | null {
  if (!/^[a-z0-9][a-z0-9-]{0,31}$/.test(node.name)) return 'node_name_invalid';
  if (!host_name.test(node.public_address) && !ipv6.test(node.public_address)) return 'node_address_invalid';
  const { port_from = nodePorts.from, port_to = nodePorts.to } = node;
  const isRange = nodePorts.least <= port_from && port_from <= port_to && port_to <= nodePorts.most;
  return isRange ? null : 'node_ports_invalid';
}

/** What decides whether a node can go. `leaving`: of its servers, those being deleted; `copies`: of servers moving away. */
interface NodeFilling {
  status: NodeState;
  servers: number;
  leaving: number;
  copies: number;
}

/** What keeps a node from being removed: nothing ever confirms a deletion on a machine that is offline. */
export const serversKeeping = ({ status, servers, leaving, copies }: NodeFilling): number =>
  servers - (status === 'offline' ? leaving : 0) + copies;

/** Why a node cannot be removed now, or null. */
export const whyNotRemoveNode = (node: NodeFilling): RefusalCode | null =>
  serversKeeping(node) > 0 ? 'node_not_empty' : null;

/** Why a node cannot be given up as lost, or null: only one whose agent does not report can. */
export const whyNotGiveUpNode = ({ status }: { status: NodeState }): RefusalCode | null =>
  status === 'offline' || status === 'new' ? null : 'node_online';

/** The command that makes a machine a node, once, with a join token. */
export const joinCommand = (url: string, token: string): string =>
  `npm run -s cairn -- agent --url ${url} --join ${token}`;
