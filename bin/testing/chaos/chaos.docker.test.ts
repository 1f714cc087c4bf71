import { it } from 'vitest';
import { ownGround } from '../chaos-cluster.ts';
import { chaos } from './chaos.ts';

const own = ownGround();

it('while agent, control plane and engine are killed, every request takes effect once and no line is lost', async () => {
  await chaos(own.ground, own.database.sql, 10, 'six');
}, 400_000);
