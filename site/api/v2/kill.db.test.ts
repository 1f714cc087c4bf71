import { test } from 'vitest';
import { testDatabase } from '#db/testing/database.ts';
import { publishUnderKills } from '../../testing/publish-kills.ts';

const database = testDatabase();

/** `npm run soak` publishes more, under more kills. */
test('30 publishes survive 2 SIGKILLs', { timeout: 120_000 }, async () => {
  await publishUnderKills(database, { publishes: 30, kills: 2, seed: 16 });
});
