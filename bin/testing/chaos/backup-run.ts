import type { Pool } from '#db/platform/postgres/sql.ts';
import type { ControlClient } from '../../cairn/control-client.ts';
import type { Cluster } from './cluster.ts';
import type { Viewer } from './console-follower.ts';

/** What a run knows of the server that it plays with. */
export interface BackupRun {
  plane: ControlClient;
  ground: Cluster;
  sql: Pool;
  viewer: Viewer;
  server_id: string;
  /** The files of the server. */
  folder: string;
  /** Sum of the files that each backup has, by its id. */
  sums: Map<string, string>;
}
