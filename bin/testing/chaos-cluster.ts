import { afterAll, beforeAll } from 'vitest';
import { testDatabase } from '#db/testing/database.ts';
import { type Cluster, chaosCluster } from './chaos/cluster.ts';

/** A cluster whose parts can be killed, with one or two planes, on its own database, for a whole test file or block. */
export function ownGround(
  plane_count: 1 | 2 = 1,
  agent_env: Record<string, string> = {},
): {
  ground: Cluster;
  database: ReturnType<typeof testDatabase>;
} {
  const own = { database: testDatabase() } as ReturnType<typeof ownGround>;
  beforeAll(async () => {
    own.ground = await chaosCluster(own.database, plane_count, agent_env);
  });
  afterAll(async () => {
    await own.ground?.end();
  });
  return own;
}
