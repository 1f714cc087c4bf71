import type { Db } from '../../platform/postgres/sql.ts';
import { hashToken } from '../../platform/secrets/hash.ts';
import { type NodeState, offline_after_ms } from './rules.ts';
import type { NodeFacts, NodeView } from './view.ts';

/** Maximum number of nodes in a list. */
const max_nodes = 500;

/** Nodes whose last heartbeat is older than this are offline. */
export const offlineCutoff = (now: Date): Date => new Date(now.getTime() - offline_after_ms);

interface Row {
  id: string;
  name: string;
  region: string;
  public_address: string;
  status: NodeState;
  draining: boolean;
  last_seen: string | null;
  overcommit: number;
  port_from: number;
  port_to: number;
  ports_used: number;
  facts: Partial<NodeFacts>;
  servers: number;
  /** Ports of its servers: one each for the game, and extra ones. */
  ports: number;
  running: number;
  leaving: number;
  copies: number;
  ram: number;
  cpu: number;
  disk: number;
  most_ram: number | null;
  most_cpu: number | null;
  most_disk: number | null;
}

/** All nodes as staff see them, by name; `id` selects one. */
export async function nodeViews(db: Db, now: Date, id: string | null = null): Promise<NodeView[]> {
  const rows = await db<Row[]>`
    select n.id, n.name, n.region, n.public_address, n.draining, n.last_seen, n.overcommit, n.port_from, n.port_to,
      n.facts, cardinality(n.ports_used) as ports_used,
      case when n.status in ('online', 'degraded') and n.last_seen < ${offlineCutoff(now)} then 'offline'
        else n.status end as status,
      coalesce(n.ram_mb, (n.facts->>'ram_mb')::int) as most_ram,
      coalesce(n.cpu_millis, (n.facts->>'cpu_millis')::int) as most_cpu,
      coalesce(n.disk_mb, (n.facts->>'disk_mb')::int) as most_disk,
      s.servers, s.running, s.leaving, s.ram, s.cpu, s.disk,
      (select count(*)::int from server_ports where node_id = n.id) as ports,
      (select count(*)::int from server_copies where node_id = n.id and kept) as copies
    from nodes n cross join lateral (
      select count(*)::int as servers, count(*) filter (where power in ('running', 'starting'))::int as running,
        count(*) filter (where lifecycle = 'deprovisioning')::int as leaving, coalesce(sum(ram_mb), 0)::bigint as ram, coalesce(sum(cpu_millis), 0)::bigint as cpu,
        coalesce(sum(disk_mb), 0)::bigint as disk
      from servers where node_id = n.id) s
    where ${id === null ? db`true` : db`n.id = ${id}`}
    order by n.name limit ${max_nodes}`;
  return rows.map(viewOf);
}

const share = (promised: number, all: number | null, overcommit: number) =>
  all === null ? null : { promised, real: all, most: Math.floor(all * overcommit) };

function viewOf(row: Row): NodeView {
  const { id, name, region, public_address, status, draining, last_seen } = row;
  const { servers, running, leaving, copies } = row;
  return {
    ...{ id, name, region, public_address, status, draining, last_seen },
    ...{ servers, running, leaving, copies },
    ram_mb: share(row.ram, row.most_ram, row.overcommit),
    cpu_millis: share(row.cpu, row.most_cpu, row.overcommit),
    disk_mb: share(row.disk, row.most_disk, row.overcommit),
    ports: { used: row.ports + row.ports_used, all: row.port_to - row.port_from + 1 },
    overcommit: row.overcommit,
    facts: row.facts,
  };
}

/** Settings of a node for its agent. */
export interface NodeIdentity {
  id: string;
  name: string;
  bind_address: string;
  port_from: number;
  port_to: number;
}

/** The node whose agent presents this secret, or null; after a rotation the previous secret stays valid for a while. */
export async function nodeBySecret(
  db: Db,
  id: string,
  secret: string,
  now: Date,
): Promise<NodeIdentity | null> {
  const [row] = await db<NodeIdentity[]>`
    select id, name, bind_address, port_from, port_to from nodes
    where id = ${id} and (secret_hash = ${hashToken(secret)}
      or (previous_secret_hash = ${hashToken(secret)} and previous_secret_until > ${now}))`;
  return row ?? null;
}

/** The current lease of the node, its holder, and the last heartbeat; null for unknown nodes. */
export async function leaseOf(
  db: Db,
  id: string,
): Promise<{ lease: number; holder: string | null; last_seen: string | null } | null> {
  const [row] = await db<{ lease: number; holder: string | null; last_seen: string | null }[]>`
    select lease, lease_holder as holder, last_seen from nodes where id = ${id}`;
  return row ?? null;
}

/** Nodes whose lease this control plane holds. */
export async function countLeases(db: Db, holder: string): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    select count(*)::int as count from nodes where lease_holder = ${holder}`;
  return row.count;
}

/** The origin of the port of a node's agent, at which it gives and takes files itself; null without one. */
export async function transferOrigin(db: Db, id: string): Promise<string | null> {
  const [row] = await db<{ origin: string | null }[]>`
    select facts->>'transfer_url' as origin from nodes where id = ${id}`;
  return row?.origin ?? null;
}
