import type { Db } from '../../platform/postgres/sql.ts';
import { plane_dead_after_ms } from './rules.ts';
import type { PlaneView } from './view.ts';

/** Which control plane, and where the other planes reach it: `unix:/path` or `http://host:port`. */
export interface PlanePlace {
  id: string;
  address: string;
}

/** A control plane as it reported itself. */
export interface PlaneRow extends PlanePlace {
  host: string;
  release: string;
  protocol_min: number;
  protocol_max: number;
  agents: number;
  viewers: number;
  started: string;
  last_seen: string;
}

const is_alive = (db: Db) => db`last_seen > now() - ${`${plane_dead_after_ms} milliseconds`}::interval`;

/** Control planes with a recent heartbeat, oldest first; `id` selects one. By the clock of the database. */
export const livePlanes = (db: Db, id: string | null = null): Promise<PlaneRow[]> =>
  db<PlaneRow[]>`
    select id, address, host, release, protocol_min, protocol_max, agents, viewers, started, last_seen
    from planes
    where ${is_alive(db)} and ${id === null ? db`true` : db`id = ${id}`}
    order by started, id`;

/** Control planes that are alive, and silent ones that nobody removed yet, newest heartbeat first: 100 at most. */
export const knownPlanes = (db: Db): Promise<PlanePlace[]> =>
  db<PlanePlace[]>`select id, address from planes order by last_seen desc limit 100`;

/** All control planes as staff see them, oldest first: also those that are silent and not removed yet. */
export async function planeViews(db: Db): Promise<PlaneView[]> {
  const rows = await db<(PlaneRow & { alive: boolean; leases: number })[]>`
    select id, host, address, release, protocol_min, protocol_max, agents, viewers, started, ${is_alive(db)} as alive,
      (select count(*)::int from nodes where lease_holder = planes.id) as leases
    from planes order by started, id limit 100`;
  return rows.map(({ protocol_min: min, protocol_max: max, ...row }) => ({ ...row, protocol: { min, max } }));
}
