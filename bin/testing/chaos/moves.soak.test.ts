import { randomBytes } from 'node:crypto';
import { describe, it } from 'vitest';
import { ownGround } from '../chaos-cluster.ts';
import { moveChaos } from './move-chaos.ts';

/** CHAOS_SEED repeats a run whose seed was printed, CHAOS_OPERATIONS sets how long it is. */
const seed = process.env.CHAOS_SEED ?? `moves ${randomBytes(4).toString('hex')}`;
const rounds = Number(process.env.CHAOS_OPERATIONS ?? 50);

describe('servers that are moved between two nodes', () => {
  const own = ownGround({ agents: 2 });

  it('are on exactly one of them with every byte, while agents, engine and control plane are killed', async () => {
    await moveChaos(own.ground, own.database.sql, rounds, seed);
  }, 1_800_000);
});
