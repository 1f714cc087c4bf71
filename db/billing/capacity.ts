import type { Size } from '../servers/sizes.ts';
import type { Db } from '../sql.ts';
import { type Region, regions } from './rules.ts';

/** How many servers of one size fit in each region; `Infinity` while one of its nodes has not reported its size yet. */
export type Capacity = Record<Region, number>;

interface Row {
  region: string;
  rooms: number | null;
}

/** The regions where this installation has a node, in the order of `regions`. */
export async function regionsWithNodes(db: Db): Promise<Region[]> {
  const rows = await db<
    Array<{ region: string }>
  >`select distinct region from nodes where region = any(${regions})`;
  return regions.filter((one) => rows.some(({ region }) => region === one));
}

/**
 * Capacity for servers of `size` by region: what nodes have left of memory, cores, disk and ports, less the orders that
 * are not scheduled yet. A node that is draining or sent nothing for ten minutes has none.
 */
export async function availableCapacity(db: Db, size: Size, now: Date): Promise<Capacity> {
  const rows = await db<Row[]>`
    with has as (
      select n.id, n.region, n.status = 'new' as unheard, n.overcommit,
        coalesce(n.ram_mb, (n.facts->>'ram_mb')::int) as ram, coalesce(n.disk_mb, (n.facts->>'disk_mb')::int) as disk,
        coalesce(n.cpu_millis, (n.facts->>'cpu_millis')::int) as cpu,
        n.port_to - n.port_from + 1 - cardinality(n.ports_used) as ports
      from nodes n
      where not n.draining and (n.status <> 'offline' or n.last_seen > ${now}::timestamptz - interval '10 minutes')),
    fits as (
      select h.region, h.unheard, least(
          floor((h.ram * h.overcommit - s.ram) / ${size.ram_mb}::int),
          floor((h.cpu * h.overcommit - s.cpu) / ${size.cpu_millis}::int),
          floor((h.disk * h.overcommit - s.disk) / ${size.disk_mb}::int),
          h.ports - s.ports) as rooms
      from has h cross join lateral (
        select (select count(*) from server_ports where node_id = h.id) as ports, coalesce(sum(ram_mb), 0) as ram, coalesce(sum(cpu_millis), 0) as cpu,
          coalesce(sum(disk_mb), 0) as disk
        from reserved_servers where node_id = h.id) s)
    select region, case when bool_or(unheard) then null else sum(greatest(rooms, 0))::int end as rooms
    from fits group by region`;
  const waiting = await db<Array<{ region: string; waiting: number }>>`
    select o.region, ceil(greatest(sum(o.ram_mb)::float8 / ${size.ram_mb}::int,
      sum(o.cpu_millis)::float8 / ${size.cpu_millis}::int, sum(o.disk_mb)::float8 / ${size.disk_mb}::int))::int as waiting
    from orders o left join servers s on s.id = o.server_id
      left join subscriptions u on u.order_id = o.id
    where o.state in ('pending', 'paid') and s.node_id is null and u.state in ('pending', 'active', 'cancelled', 'failed')
    group by o.region`;
  const stock = Object.fromEntries(regions.map((region) => [region, 0])) as Capacity;
  for (const { region, rooms } of rows) if (region in stock) stock[region as Region] = rooms ?? Infinity;
  for (const one of waiting)
    if (one.region in stock)
      stock[one.region as Region] = Math.max(0, stock[one.region as Region] - one.waiting);
  return stock;
}
