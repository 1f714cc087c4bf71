import type { Db } from '../sql.ts';
import { plane_dead_after_ms } from './rules.ts';

/** A control plane as it reported itself. */
export interface PlaneRow {
  id: string;
  /** Where the other planes reach it: `unix:/path` or `http://host:port`. */
  address: string;
  host: string;
  release: string;
  protocol_min: number;
  protocol_max: number;
  agents: number;
  viewers: number;
  started: string;
  last_seen: string;
}

/** Control planes with a recent heartbeat, oldest first; `id` selects one. By the clock of the database. */
export const livePlanes = (db: Db, id: string | null = null): Promise<PlaneRow[]> =>
  db<PlaneRow[]>`
    select id, address, host, release, protocol_min, protocol_max, agents, viewers, started, last_seen
    from planes
    where last_seen > now() - ${`${plane_dead_after_ms} milliseconds`}::interval
      and ${id === null ? db`true` : db`id = ${id}`}
    order by started, id`;
