import { afterAll, beforeAll, it } from 'vitest';
import { testDatabase } from '#db/test-database.ts';
import { chaos } from './chaos.ts';
import { chaosGround, type Ground } from './ground.ts';

const database = testDatabase();
let ground: Ground;
beforeAll(async () => {
  ground = await chaosGround(database);
});
afterAll(async () => {
  await ground?.end();
});

it('while agent, control plane and engine die, each of a hundred things asked is done once and no line is lost', async () => {
  await chaos(ground, database.sql, 100, 'seven');
}, 1_800_000);
