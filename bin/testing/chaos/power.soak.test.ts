import { describe, it } from 'vitest';
import { soakOperations, soakSeed } from '#db/testing/soak.ts';
import { ownGround } from '../chaos-cluster.ts';
import { chaos } from './chaos.ts';

const seed = soakSeed();

describe.each([1, 2] as const)('with control planes: %i', (count) => {
  const own = ownGround({ planes: count });

  it('while agent, engine and control planes are killed, every request takes effect once and no line is lost', async () => {
    await chaos(own.ground, own.database.sql, soakOperations(100), `power ${seed}`);
  });
});
