import type { Fragment } from 'postgres';
import type { Db } from '../../platform/postgres/sql.ts';
import { offlineCutoff } from '../nodes/read.ts';

/** What a machine can hold: one answer for what is sold, for a change of plan, for a resize and for where a server runs. */

/** Number of candidate nodes for one server: the emptiest ones first. */
const max_candidates = 20;

export interface Resources {
  ram_mb: number;
  cpu_millis: number;
  disk_mb: number;
}
export interface ResourceRequest extends Resources {
  kind: string;
  region: string;
}

/**
 * Of a node `n`: `total` is what may be given out, `machine` what the machine itself has, `taken` what its servers have and
 * what changes of plan have reserved. Machines that have not said their size count as large as staff said.
 */
export const resourcesOf = (db: Db) => db`
  lateral (
    select coalesce(n.ram_mb, (n.facts->>'ram_mb')::int) * n.overcommit as ram,
      coalesce(n.cpu_millis, (n.facts->>'cpu_millis')::int) * n.overcommit as cpu,
      coalesce(n.disk_mb, (n.facts->>'disk_mb')::int) * n.overcommit as disk,
      n.port_to - n.port_from + 1 - cardinality(n.ports_used) as ports) total
  cross join lateral (
    select coalesce((n.facts->>'ram_mb')::int, n.ram_mb) as ram,
      coalesce((n.facts->>'cpu_millis')::int, n.cpu_millis) as cpu) machine
  cross join lateral (
    select coalesce(sum(ram_mb), 0) as ram, coalesce(sum(cpu_millis), 0) as cpu, coalesce(sum(disk_mb), 0) as disk,
      (select count(*) from server_ports where node_id = n.id) as ports
    from reserved_servers where node_id = n.id) taken`;

/**
 * Whether the machine is large enough for a server of this size were it empty: cores and memory may be given out more than
 * once, but no server gets more of them than there are.
 */
const isLargeEnough = (db: Db, size: Record<'ram_mb' | 'cpu_millis', number | Fragment>): Fragment =>
  db`(${size.ram_mb}::int <= machine.ram and ${size.cpu_millis}::int <= machine.cpu)`;

/** Sizes as the rows `size` of a query, with their position `at` from 0, and whether the machine is large enough for one. */
export const sizesAsRows = (db: Db, sizes: readonly Resources[]) => ({
  rows: db`(select ram_mb, cpu_millis, disk_mb, at::int - 1 as at from unnest(
      ${sizes.map(({ ram_mb }) => ram_mb)}::int[], ${sizes.map(({ cpu_millis }) => cpu_millis)}::int[],
      ${sizes.map(({ disk_mb }) => disk_mb)}::int[]) with ordinality as one (ram_mb, cpu_millis, disk_mb, at)) size`,
  isHeld: isLargeEnough(db, { ram_mb: db`size.ram_mb`, cpu_millis: db`size.cpu_millis` }),
});

/** Whether the node has `more` free; resources that do not grow need no capacity. */
const hasFree = (db: Db, more: Resources) => db`
  (${more.ram_mb}::int <= 0 or taken.ram + ${more.ram_mb}::int <= total.ram)
    and (${more.cpu_millis}::int <= 0 or taken.cpu + ${more.cpu_millis}::int <= total.cpu)
    and (${more.disk_mb}::int <= 0 or taken.disk + ${more.disk_mb}::int <= total.disk)`;

/**
 * Nodes of the region with enough free memory, CPU, disk and ports for `need`, emptiest first; `only` restricts the
 * candidates. Skips nodes that are offline, drained or cannot run its kind. Source: decisions §4.1.
 */
export const nodesWithCapacity = (
  db: Db,
  need: ResourceRequest,
  now: Date,
  { only = null, except = [] }: { only?: readonly string[] | null; except?: readonly string[] } = {},
) => db<{ id: string }[]>`
  select n.id
  from nodes n cross join ${resourcesOf(db)}
  where n.region = ${need.region} and not n.draining and n.status = 'online' and n.last_seen >= ${offlineCutoff(now)}
    and ${only === null ? db`true` : db`n.id = any(${only})`} and n.id <> all(${except})
    and coalesce(n.facts->'kinds' ? ${need.kind}, false)
    and ${isLargeEnough(db, need)} and ${hasFree(db, need)} and taken.ports < total.ports
  order by taken.ram / total.ram, n.id
  limit ${max_candidates}`;

/** Why a node cannot give one of its servers more: the machine is smaller than `all`, or has less than `more` free. */
export type WhyNoRoom = 'node_too_small' | 'node_full';

/** Why a node cannot hold a server of its own that grows by `more` to `all`, or null. */
export async function whyNoRoomFor(
  db: Db,
  node_id: string,
  more: Resources,
  all: Resources,
): Promise<WhyNoRoom | null> {
  const [row] = await db<Array<{ large: boolean | null; free: boolean | null }>>`
    select ${hasFree(db, more)} as free,
      (${more.cpu_millis}::int <= 0 and ${more.ram_mb}::int <= 0) or ${isLargeEnough(db, all)} as large
    from nodes n cross join ${resourcesOf(db)} where n.id = ${node_id}`;
  if (!row?.large) return 'node_too_small';
  return row.free ? null : 'node_full';
}

/** The sizes among `sizes` that the node is large enough for. */
export async function sizesHeldBy<S extends Resources>(
  db: Db,
  node_id: string,
  sizes: readonly S[],
): Promise<S[]> {
  const { rows, isHeld } = sizesAsRows(db, sizes);
  const held = await db<Array<{ at: number }>>`
    select size.at from nodes n cross join ${resourcesOf(db)} cross join ${rows} where n.id = ${node_id} and ${isHeld}`;
  return sizes.filter((_, position) => held.some(({ at }) => at === position));
}
