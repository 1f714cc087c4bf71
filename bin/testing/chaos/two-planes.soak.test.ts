import { it } from 'vitest';
import { ownGround } from '../chaos-cluster.ts';
import { chaos } from './chaos.ts';

const own = ownGround(2);

it('while agent, engine and either of two control planes are killed, each of a hundred requests takes effect once and no line is lost', async () => {
  await chaos(own.ground, own.database.sql, 100, 'eight');
}, 1_800_000);
