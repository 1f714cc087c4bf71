import { describe, it } from 'vitest';
import { soakOperations, soakSeed } from '#db/testing/soak.ts';
import { ownGround } from '../chaos-cluster.ts';
import { backupChaos } from './backup-chaos.ts';

const seed = soakSeed();
const operations = soakOperations(100);

describe.each([
  ['in folders', 'measured', operations],
  ['on disks of their own', 'auto', Math.ceil(operations / 4)],
] as const)('files %s', (name, disk, count) => {
  const own = ownGround({ agent_env: { CAIRN_AGENT_DISK: disk } });

  it('are old or new, and each backup is one or none, while agent, engine and control plane are killed', async () => {
    await backupChaos(own.ground, own.database.sql, count, `${name} ${seed}`);
  });
});
