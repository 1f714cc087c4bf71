import type { Pool } from '#db/platform/postgres/sql.ts';
import type { ControlClient } from '../../cairn/control-client.ts';
import type { Cluster } from './cluster.ts';
import type { Placed } from './placed.ts';

/** What a run knows. */
export interface MoveRun {
  plane: ControlClient;
  ground: Cluster;
  sql: Pool;
  servers: Placed[];
}
