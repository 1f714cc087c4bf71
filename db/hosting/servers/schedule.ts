import { recordEvent } from '../../platform/events/write.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { nodesWithCapacity, type ResourceRequest } from './capacity.ts';

/**
 * The lowest free port of a node, used neither by a server (for its game or beside it) nor by anything else on the host, or
 * null; never `except`.
 */
export async function freePort(
  db: Db,
  node_id: string,
  except: number | null = null,
): Promise<number | null> {
  const [row] = await db<{ port: number }[]>`
    select p as port from nodes n cross join generate_series(n.port_from, n.port_to) p
    where n.id = ${node_id} and p <> all (n.ports_used) and p is distinct from ${except}::int
      and not exists (select 1 from server_ports s where s.node_id = n.id and s.port = p)
      and not exists (select 1 from server_copies c where c.node_id = n.id
        and (c.port = p or c.extra_ports @> jsonb_build_array(jsonb_build_object('port', p))))
    order by p limit 1`;
  return row?.port ?? null;
}

/**
 * The node for a server with its lowest free port, locked until the commit, so that two servers cannot take the last capacity;
 * null when none has the room. `only` and `except` restrict the nodes.
 */
export async function chooseNode(
  db: Db,
  need: ResourceRequest,
  now: Date,
  { only = null, except = [] }: { only?: string | null; except?: readonly string[] } = {},
): Promise<{ node_id: string; port: number } | null> {
  const among = { only: only === null ? null : [only], except };
  const candidates = (await nodesWithCapacity(db, need, now, among)).map(({ id }) => id);
  // a fixed lock order, so that two of these never deadlock
  await db`select 1 from nodes where id = any(${candidates}) order by id for update`;
  const [node] = await nodesWithCapacity(db, need, now, { ...among, only: candidates });
  const port = node ? await freePort(db, node.id) : null;
  return node && port !== null ? { node_id: node.id, port } : null;
}

/** Whether a node has room for `need` now, without reserving it. `only` and `except` restrict the nodes. */
export async function hasNodeFor(
  db: Db,
  { kind, region, ram_mb, cpu_millis, disk_mb }: ResourceRequest,
  now: Date,
  { only = null, except = [] }: { only?: string | null; except?: readonly string[] } = {},
): Promise<boolean> {
  const need = { kind, region, ram_mb, cpu_millis, disk_mb };
  return (await nodesWithCapacity(db, need, now, { only: only === null ? null : [only], except })).length > 0;
}

export type ScheduleResult = { placed: true; node_id: string; port: number } | { placed: false };

/**
 * Assigns a node and a port to an unprovisioned server. Locks the candidate nodes first, so that two orders cannot
 * take the last capacity. Without capacity the server stays unprovisioned with the reason `out_of_stock` and is
 * retried later. A scheduled server keeps its node.
 */
export async function scheduleServer(db: Db, server_id: string, now: Date): Promise<ScheduleResult> {
  const [server] = await db<
    (ResourceRequest & {
      lifecycle: string;
      node_id: string | null;
      port: number | null;
      reason: string | null;
    })[]
  >`
    select kind, region, ram_mb, cpu_millis, disk_mb, lifecycle, node_id, port, lifecycle_data->>'reason' as reason
    from servers where id = ${server_id} for update`;
  if (server?.node_id) return { placed: true, node_id: server.node_id, port: server.port! };
  if (server?.lifecycle !== 'unprovisioned') return { placed: false };
  const place = await chooseNode(db, server, now);
  if (!place) {
    if (server.reason !== 'out_of_stock')
      await db`update servers set lifecycle_data = ${db.json({ reason: 'out_of_stock' })} where id = ${server_id}`;
    return { placed: false };
  }
  await db`
    update servers set node_id = ${place.node_id}, port = ${place.port}, lifecycle = 'provisioning', lifecycle_data = '{}'
    where id = ${server_id}`;
  await recordEvent(db, { name: 'server.scheduled', server_id, node_id: place.node_id });
  return { placed: true, ...place };
}

/** Servers without a node, longest waiting first. */
export async function unscheduled(db: Db, limit: number): Promise<string[]> {
  const found = await db<{ id: string }[]>`
    select id from servers where lifecycle = 'unprovisioned' order by created, id limit ${limit}`;
  return found.map(({ id }) => id);
}
