import { afterAll, beforeAll } from 'vitest';
import { testDatabase } from '#db/test-database.ts';
import { chaosGround, type Ground } from './ground.ts';

/** Everything that may be killed, on a database of its own, for a whole test file. */
export function ownGround(): { ground: Ground; database: ReturnType<typeof testDatabase> } {
  const own = { database: testDatabase() } as ReturnType<typeof ownGround>;
  beforeAll(async () => {
    own.ground = await chaosGround(own.database);
  });
  afterAll(async () => {
    await own.ground?.end();
  });
  return own;
}
