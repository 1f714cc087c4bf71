import { type Resources, resourcesOf, sizesAsRows } from '../../hosting/servers/capacity.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { isRegion, type Region, regions } from './rules.ts';

/** How many servers of one size fit in each region; `Infinity` while one of its nodes has not reported its size yet. */
export type Capacity = Record<Region, number>;

interface Row {
  /** Position of the size. */
  at: number;
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
 * Capacity for servers of each of `sizes` by region: what nodes have left of memory, cores, disk and ports, less the orders
 * that are not scheduled yet. A node that is draining, sent nothing for ten minutes, or is a smaller machine has none.
 */
export async function capacities(db: Db, sizes: readonly Resources[], now: Date): Promise<Capacity[]> {
  const size = sizesAsRows(db, sizes);
  const free = await db<Row[]>`
    select size.at, n.region, case when bool_or(n.status = 'new') then null else sum(rooms)::int end as rooms
    from nodes n cross join ${resourcesOf(db)} cross join ${size.rows} cross join lateral (
      select case when not ${size.isHeld} then 0 else greatest(0, least(
        floor((total.ram - taken.ram) / size.ram_mb), floor((total.cpu - taken.cpu) / size.cpu_millis),
        floor((total.disk - taken.disk) / size.disk_mb), total.ports - taken.ports)) end as rooms) room
    where not n.draining and (n.status <> 'offline' or n.last_seen > ${now}::timestamptz - interval '10 minutes')
    group by size.at, n.region`;
  const waiting = await db<Row[]>`
    select size.at, o.region, ceil(greatest(sum(o.ram_mb)::float8 / size.ram_mb,
      sum(o.cpu_millis)::float8 / size.cpu_millis, sum(o.disk_mb)::float8 / size.disk_mb))::int as rooms
    from orders o left join servers s on s.id = o.server_id
      left join subscriptions u on u.order_id = o.id cross join ${size.rows}
    where o.state in ('pending', 'paid') and s.node_id is null and u.state in ('pending', 'active', 'cancelled', 'failed')
    group by size.at, o.region, size.ram_mb, size.cpu_millis, size.disk_mb`;
  const stocks = sizes.map(() => Object.fromEntries(regions.map((region) => [region, 0])) as Capacity);
  for (const { at, region, rooms } of free) if (isRegion(region)) stocks[at]![region] = rooms ?? Infinity;
  for (const { at, region, rooms } of waiting)
    if (isRegion(region)) stocks[at]![region] = Math.max(0, stocks[at]![region] - (rooms ?? 0));
  return stocks;
}

/** `capacities` for one size. */
export const availableCapacity = async (db: Db, size: Resources, now: Date): Promise<Capacity> =>
  (await capacities(db, [size], now))[0]!;
