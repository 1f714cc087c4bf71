import { randomBytes } from 'node:crypto';
import { describe, it } from 'vitest';
import { ownGround } from '../chaos-cluster.ts';
import { sleepChaos } from './sleep-chaos.ts';

/** CHAOS_SEED repeats a run whose seed was printed, CHAOS_OPERATIONS sets how long it is. */
const seed = process.env.CHAOS_SEED ?? `sleep ${randomBytes(4).toString('hex')}`;
const rounds = Number(process.env.CHAOS_OPERATIONS ?? 24);

describe('servers that sleep while nobody plays', () => {
  const own = ownGround({ engine: 'machine' });

  it('are woken once by whoever joins and never run twice, while agent and control plane are killed', async () => {
    await sleepChaos(own.ground, own.database.sql, rounds, seed);
  }, 1_800_000);
});
