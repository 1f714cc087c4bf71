import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './install.mjs';
import { startOf } from './lock.mjs';

const parent = join(root, '.tmp');
const named = /^test-(\d+)-(\w+)$/;

/** The folder of this test run: its reports, and the product of its browser tests. It stays until the next run. */
export const runFolder = join(parent, `test-${process.pid}-${startOf(process.pid) ?? 'x'}`);

/** Removes the folders of runs that have ended or were killed. */
export async function removeStaleRuns(folder = parent): Promise<string[]> {
  const stale = readdirSync(folder).filter((name) => {
    const [, pid, started] = named.exec(name) ?? [];
    return pid !== undefined && startOf(Number(pid)) !== started;
  });
  for (const name of stale) rmSync(join(folder, name), { recursive: true, force: true });
  return stale;
}
