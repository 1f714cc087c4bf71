import { it } from 'vitest';
import { ownGround } from '../chaos-cluster.ts';
import { chaos } from './chaos.ts';

const own = ownGround();

it('while agent, control plane and engine die, each of a hundred things asked is done once and no line is lost', async () => {
  await chaos(own.ground, own.database.sql, 100, 'seven');
}, 1_800_000);
