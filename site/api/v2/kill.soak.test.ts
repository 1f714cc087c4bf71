import { test } from 'vitest';
import { testDatabase } from '#db/testing/database.ts';
import { soakOperations, soakSeed } from '#db/testing/soak.ts';
import { publishUnderKills } from '../../testing/publish-kills.ts';

const database = testDatabase();

test('200 publishes survive 12 SIGKILLs', async () => {
  await publishUnderKills(database, { publishes: soakOperations(200), kills: 12, seed: soakSeed() });
});
