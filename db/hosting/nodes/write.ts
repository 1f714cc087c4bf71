import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import { newId, randomText } from '../../platform/id.ts';
import { type Actor, whyNotProved } from '../../platform/people/rules.ts';
import { type Db, violatedConstraint } from '../../platform/postgres/sql.ts';
import { hashToken } from '../../platform/secrets/hash.ts';
import { type NodeIdentity, offlineCutoff } from './read.ts';
import {
  join_token_ttl_ms,
  type NodeState,
  secret_overlap_ms,
  serversKeeping,
  whyNotNode,
  whyNotRemoveNode,
  whyNotSeeNodes,
} from './rules.ts';
import type { NodeFacts } from './view.ts';

/** Operator's settings of a new node; omitted values come from its agent or have defaults. */
export interface NewNode {
  name: string;
  region: string;
  /** The host name players use. */
  public_address: string;
  bind_address?: string;
  port_from?: number;
  port_to?: number;
  overcommit?: number;
  cpu_millis?: number | null;
  ram_mb?: number | null;
  disk_mb?: number | null;
}

/**
 * Adds a node. Gives its id and a join token, valid once within a day; stores only its hash. Refuses `admins_only`,
 * `proof_required`, as `whyNotNode` says, and `node_name_taken`.
 */
export async function addNode(
  db: Db,
  node: NewNode,
  now: Date,
  actor: Actor | null = null,
): Promise<{ id: string; join_token: string }> {
  assertMayJoin(actor, now);
  assertAllowed(whyNotNode(node), { address: node.public_address });
  const { token, ...row } = joining(now);
  const id = newId();
  try {
    await db`insert into nodes ${db({ id, ...node, ...row })}`;
  } catch (error) {
    if (violatedConstraint(error) === 'nodes_name_key') throw new Refused('node_name_taken');
    throw error;
  }
  const { name, region } = node;
  await recordEvent(db, {
    name: 'node.added',
    actor_id: actor?.user_id ?? null,
    node_id: id,
    data: { name, region },
  });
  return { id, join_token: token };
}

/** Changes the operator's settings of a node. Servers on it stay there. Refuses `node_unknown`. */
export async function editNode(db: Db, id: string, node: Omit<NewNode, 'name'>): Promise<void> {
  const { count } = await db`update nodes set ${db({ ...node })} where id = ${id}`;
  if (count === 0) throw new Refused('node_unknown', { node: id });
  await recordEvent(db, { name: 'node.edited', node_id: id });
}

/** A new join token for a node; the previous one becomes invalid. Refuses `admins_only`, `proof_required`, `node_unknown`. */
export async function reissueJoinToken(
  db: Db,
  id: string,
  now: Date,
  actor: Actor | null = null,
): Promise<{ join_token: string }> {
  assertMayJoin(actor, now);
  const { token, ...row } = joining(now);
  const { count } = await db`update nodes set ${db(row)} where id = ${id}`;
  if (count === 0) throw new Refused('node_unknown', { node: id });
  await recordEvent(db, { name: 'node.join_token_reissued', actor_id: actor?.user_id ?? null, node_id: id });
  return { join_token: token };
}

/**
 * The agent of a node gets the files and secrets of servers, so that the person behind a session proves who they are; an
 * operator's command (null) has the database anyway.
 */
function assertMayJoin(actor: Actor | null, now: Date): void {
  if (actor) assertAllowed(whyNotSeeNodes(actor) ?? whyNotProved(actor, now));
}

const joining = (now: Date) => {
  const token = `cnj_${randomText(40)}`;
  return { token, join_hash: hashToken(token), join_expires: new Date(now.getTime() + join_token_ttl_ms) };
};

/** A new agent secret; only its hash is stored. */
export const newSecret = (): string => `cna_${randomText(60)}`;

/** Exchanges a join token for a secret, once. Refuses `join_token_invalid` when it is unknown, used or expired. */
export async function joinNode(
  db: Db,
  token: string,
  now: Date,
): Promise<{ node: NodeIdentity; secret: string }> {
  const secret = newSecret();
  const [node] = await db<NodeIdentity[]>`
    update nodes set join_hash = null, join_expires = null, secret_hash = ${hashToken(secret)},
      previous_secret_hash = null, previous_secret_until = null
    where join_hash = ${hashToken(token)} and join_expires > ${now}
    returning id, name, bind_address, port_from, port_to`;
  if (!node) throw new Refused('join_token_invalid');
  await recordEvent(db, { name: 'node.joined', node_id: node.id });
  return { node, secret };
}

/** A new secret for a node's agent; the previous one stays valid for a day. Refuses `node_unknown`. */
export async function rotateSecret(
  db: Db,
  id: string,
  now: Date,
  actor_id: string | null = null,
): Promise<{ secret: string }> {
  const secret = newSecret();
  const until = new Date(now.getTime() + secret_overlap_ms);
  const { count } = await db`
    update nodes set previous_secret_hash = secret_hash, previous_secret_until = ${until},
      secret_hash = ${hashToken(secret)}
    where id = ${id}`;
  if (count === 0) throw new Refused('node_unknown', { node: id });
  await recordEvent(db, { name: 'node.secret_rotated', actor_id, node_id: id });
  return { secret };
}

/** Takes the lease of the node for `holder`: messages under an older lease are refused from now on. */
export async function acquireLease(
  db: Db,
  id: string,
  { holder, boot_id, now }: { holder: string; boot_id: string; now: Date },
): Promise<number> {
  const [row] = await db<{ lease: number }[]>`
    update nodes set lease = lease + 1, lease_holder = ${holder}, boot_id = ${boot_id}, status = 'online',
      last_seen = ${now}
    where id = ${id} returning lease`;
  if (!row) throw new Refused('node_unknown', { node: id });
  return row.lease;
}

/** A control plane shuts down: its nodes are offline until their agents reconnect, here or elsewhere. */
export async function releaseLeases(db: Db, holder: string): Promise<void> {
  await db`
    update nodes set lease_holder = null, status = 'offline'
    where lease_holder = ${holder} and status in ('online', 'degraded')`;
}

/**
 * Refuses `lease_stale` when another holder has the lease. The row stays locked against a new lease until the end of
 * the caller's transaction, so that nothing of an older lease is stored after it.
 */
export async function lockLease(db: Db, id: string, lease: number): Promise<void> {
  // rows that refer to the node may be stored meanwhile: whoever has locked its server would wait for this in a circle
  const [row] = await db<{ lease: number }[]>`select lease from nodes where id = ${id} for no key update`;
  if (row?.lease !== lease) throw new Refused('lease_stale');
}

/** Stores a heartbeat: the agent's report about its machine, and that the node is online. Refuses `lease_stale`. */
export async function recordHeartbeat(
  db: Db,
  id: string,
  reported: { lease: number; docker: 'up' | 'down'; facts: NodeFacts; ports_used: number[] },
  now: Date,
): Promise<void> {
  const status = reported.docker === 'up' ? 'online' : 'degraded';
  // the status only when it changes, because every change notifies all control planes
  const { count } = await db`
    update nodes set last_seen = ${now}, facts = ${db.json({ ...reported.facts })}, ports_used = ${reported.ports_used}
    where id = ${id} and lease = ${reported.lease}`;
  if (count === 0) throw new Refused('lease_stale');
  await db`update nodes set status = ${status} where id = ${id} and lease = ${reported.lease} and status <> ${status}`;
}

/** Marks nodes without a recent heartbeat as offline. Gives their ids. Source: hosting §6. */
export async function expireNodes(db: Db, now: Date): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    update nodes set status = 'offline'
    where status in ('online', 'degraded') and last_seen < ${offlineCutoff(now)} returning id`;
  for (const { id } of rows) await recordEvent(db, { name: 'node.offline', node_id: id });
  return rows.map(({ id }) => id);
}

/** Drains a node, or makes it available again; servers on it stay. Refuses `node_unknown`. */
export async function setDraining(
  db: Db,
  id: string,
  draining: boolean,
  actor_id: string | null = null,
): Promise<void> {
  const { count } = await db`update nodes set draining = ${draining} where id = ${id}`;
  if (count === 0) throw new Refused('node_unknown', { node: id });
  await recordEvent(db, { name: 'node.draining_changed', actor_id, node_id: id, data: { draining } });
}

/**
 * Removes a node without servers. Servers to be deleted on an offline machine are removed with it, since nothing will
 * ever confirm their deletion. Refuses `node_unknown` and `node_not_empty`.
 */
export async function removeNode(db: Db, id: string, actor_id: string | null = null): Promise<void> {
  const [row] = await db<{ status: NodeState; name: string }[]>`
    select status, name from nodes where id = ${id} for update`;
  if (!row) throw new Refused('node_unknown', { node: id });
  const [on = { servers: 0, leaving: 0, copies: 0 }] = await db<
    { servers: number; leaving: number; copies: number }[]
  >`
    select count(*)::int as servers, count(*) filter (where lifecycle = 'deprovisioning')::int as leaving,
      (select count(*)::int from server_copies where node_id = ${id} and kept) as copies
    from servers where node_id = ${id}`;
  const filling = { ...on, status: row.status };
  assertAllowed(whyNotRemoveNode(filling), { servers: serversKeeping(filling) });
  await db`delete from servers where node_id = ${id} and lifecycle = 'deprovisioning'`;
  await db`delete from nodes where id = ${id}`;
  await recordEvent(db, { name: 'node.removed', actor_id, node_id: id, data: { name: row.name } });
}
