import { describe, it } from 'vitest';
import { ownGround } from '../chaos-cluster.ts';
import { chaos } from './chaos.ts';

describe.each([1, 2] as const)('with control planes: %i', (count) => {
  const own = ownGround({ planes: count });

  it('while agent, engine and control planes are killed, each of a hundred requests takes effect once and no line is lost', async () => {
    await chaos(own.ground, own.database.sql, 100, 'seven');
  }, 1_800_000);
});
