import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startOf, take } from './lock.mjs';
import { UserError } from './user-error.ts';

interface ChildRecord {
  name: string;
  pid: number;
  started: string | null;
}

/** The lock of this run on a data folder, with a record of its child processes. */
export interface RunLock {
  note(name: string, pid: number): void;
  release(): void;
}

/**
 * Locks the data folder for this run; ends the start with one line when another run has it. Leftover children of a
 * killed run are ended first: only processes whose pid, start time and program match the record.
 */
export async function acquireRunLock(folder: string): Promise<RunLock> {
  const taken = take(join(folder, 'cairn.lock'));
  if ('owner' in taken)
    throw new UserError(
      `Cairn is already running on DATA_DIR=${folder} (process ${taken.owner.pid}): stop it or choose another folder.`,
    );
  const path = join(folder, 'cairn.children');
  await endOrphans(path);
  const children = new Map<string, ChildRecord>();
  return {
    note(name, pid) {
      children.set(name, { name, pid, started: startOf(pid) });
      writeFileSync(`${path}.new`, JSON.stringify([...children.values()]));
      renameSync(`${path}.new`, path);
    },
    release() {
      rmSync(path, { force: true });
      taken.release();
    },
  };
}

const scripts = /(site\/server|site\/dev|control-plane\/main|agents\/main)\.ts/;

function isOurChild({ pid, started }: ChildRecord): boolean {
  if (started === null || startOf(pid) !== started) return false;
  try {
    return scripts.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return false;
  }
}

async function endOrphans(path: string): Promise<void> {
  const left = readChildren(path).filter(isOurChild);
  for (const { pid } of left) signal(pid, 'SIGTERM');
  for (let waited = 0; waited < 3_000 && left.some(isOurChild); waited += 50)
    await new Promise((done) => setTimeout(done, 50));
  for (const one of left.filter(isOurChild)) signal(-one.pid, 'SIGKILL');
  rmSync(path, { force: true });
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // it ended meanwhile
  }
}

function readChildren(path: string): ChildRecord[] {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as ChildRecord[];
  } catch {
    return [];
  }
}
