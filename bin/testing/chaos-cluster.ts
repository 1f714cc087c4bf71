import { afterAll, beforeAll } from 'vitest';
import { testDatabase } from '#db/testing/database.ts';
import { type Cluster, type ClusterShape, chaosCluster } from './chaos/cluster.ts';

/** A cluster whose parts can be killed, on its own database, for a whole test file or block. */
export function ownGround(shape: ClusterShape = {}): {
  ground: Cluster;
  database: ReturnType<typeof testDatabase>;
} {
  const own = { database: testDatabase() } as ReturnType<typeof ownGround>;
  beforeAll(async () => {
    own.ground = await chaosCluster(own.database, shape);
  });
  afterAll(async () => {
    await own.ground?.end();
  });
  return own;
}
