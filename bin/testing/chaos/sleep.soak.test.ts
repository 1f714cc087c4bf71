import { describe, it } from 'vitest';
import { soakOperations, soakSeed } from '#db/testing/soak.ts';
import { ownGround } from '../chaos-cluster.ts';
import { sleepChaos } from './sleep-chaos.ts';

const seed = `sleep ${soakSeed()}`;
const rounds = soakOperations(24);

describe('servers that sleep while nobody plays', () => {
  const own = ownGround({ engine: 'machine' });

  it('are woken once by whoever joins and never run twice, while agent and control plane are killed', async () => {
    await sleepChaos(own.ground, own.database.sql, rounds, seed);
  });
});
