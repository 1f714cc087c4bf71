import { randomBytes } from 'node:crypto';
import { describe, it } from 'vitest';
import { ownGround } from '../chaos-cluster.ts';
import { backupChaos } from './backup-chaos.ts';

/** CHAOS_SEED repeats a run whose seed was printed, CHAOS_OPERATIONS sets how long it is. */
const seedOf = (name: string) => process.env.CHAOS_SEED ?? `${name} ${randomBytes(4).toString('hex')}`;
const operations = Number(process.env.CHAOS_OPERATIONS ?? 100);

describe.each([
  ['in folders', 'measured', operations],
  ['on disks of their own', 'auto', Math.ceil(operations / 4)],
] as const)('files %s', (name, disk, count) => {
  const own = ownGround({ agent_env: { CAIRN_AGENT_DISK: disk } });

  it('are old or new, and each backup is one or none, while agent, engine and control plane are killed', async () => {
    await backupChaos(own.ground, own.database.sql, count, seedOf(name));
  }, 1_800_000);
});
