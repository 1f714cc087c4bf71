import { it } from 'vitest';
import { ownGround } from '../chaos-cluster.ts';
import { chaos } from './chaos.ts';

/** With one control plane and ten times as many requests: `npm run soak -- power`. */
const own = ownGround({ planes: 2 });

it('while agent, engine and two control planes are killed, every request takes effect once and no line is lost', async () => {
  await chaos(own.ground, own.database.sql, 10, 'six');
}, 400_000);
