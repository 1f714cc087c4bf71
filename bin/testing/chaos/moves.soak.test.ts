import { describe, it } from 'vitest';
import { soakOperations, soakSeed } from '#db/testing/soak.ts';
import { ownGround } from '../chaos-cluster.ts';
import { moveChaos } from './move-chaos.ts';

const seed = `moves ${soakSeed()}`;
const rounds = soakOperations(50);

describe('servers that are moved between two nodes', () => {
  const own = ownGround({ agents: 2 });

  it('are on exactly one of them with every byte, while agents, engine and control plane are killed', async () => {
    await moveChaos(own.ground, own.database.sql, rounds, seed);
  });
});
