import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { backupFixture, mib } from '../testing/backups.ts';
import { endOrphans } from './orphans.ts';
import { startPipeline } from './pipeline.ts';
import { pack } from './programs.ts';

it('ends what a killed agent left packing, and nothing of another agent', async () => {
  const [on, other] = [backupFixture(), backupFixture()];
  const { signal } = new AbortController();
  const begin = ({ folder, data }: typeof on) => {
    writeFileSync(join(folder, 'large'), randomBytes(8 * mib));
    // nobody reads what it packs: it waits
    return startPipeline([pack(folder, join(data, 'backups/work')), ['sleep', '3600']], { signal });
  };
  const [left, foreign] = [begin(on), begin(other)];
  try {
    await expect.poll(() => endOrphans(on.data)).toBe(1);
    await left.ended;
    expect(endOrphans(on.data)).toBe(0);
    // that of another folder waits on
    await expect.poll(() => endOrphans(other.data)).toBe(1);
    await foreign.ended;
  } finally {
    left.kill();
    foreign.kill();
    on.end();
    other.end();
  }
});
