import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { unmountEverythingBelow } from '#agents/disk/mounts.ts';
import { clustersBelow } from '#db/platform/postgres/embedded-postgres.ts';
import { removeLeftovers } from './containers.ts';
import { startOf } from './lock.mjs';

/** Temporary folders that name the process that made them. */
const owned = /^cairn-(?:run|agent|dockerd|start|test)-(\d+)-\w{6}$/;
/** Where `db/testing/cluster-folder.ts` puts the databases of tests. */
const memory_disk = '/dev/shm';

/**
 * Makes a temporary folder for a run of tests and everything that it starts (TMPDIR), after `removeStaleRuns`. Gives the
 * function that removes it.
 */
export async function openRunFolder(): Promise<() => Promise<void>> {
  await removeStaleRuns();
  const folder = mkdtempSync(join(tmpdir(), `cairn-run-${process.pid}-`));
  chmodSync(folder, 0o1777); // Postgres and apt-get use it as users of their own
  writeFileSync(join(folder, 'owner'), startOf(process.pid) ?? '');
  process.env.TMPDIR = folder;
  return () => removeFolder(folder);
}

/** The environment of a process that outlives its run, such as a Docker engine that other runs use. */
export const outsideRunFolder = (): NodeJS.ProcessEnv => ({ ...process.env, TMPDIR: undefined });

/**
 * Removes what killed runs left in the temporary folder of the system and in memory, with the processes, disks and databases
 * that belong to it, and their game servers if an engine answers. Gives the removed folders.
 */
export async function removeStaleRuns(parents = [tmpdir(), memory_disk]): Promise<string[]> {
  const stale = parents.filter(existsSync).flatMap((parent) =>
    readdirSync(parent)
      .filter((name) => owned.test(name) && !isInUse(parent, name))
      .map((name) => join(parent, name)),
  );
  for (const folder of stale) await removeFolder(folder);
  return stale;
}

/** Whether the process that made the folder still runs; that of a run is known by its start too. */
function isInUse(parent: string, name: string): boolean {
  const started = startOf(Number(owned.exec(name)![1]));
  const known = join(parent, name, 'owner');
  return started !== null && (!existsSync(known) || readFileSync(known, 'utf8') === started);
}

async function removeFolder(folder: string): Promise<void> {
  const clusters = clustersBelow(folder);
  await endProcesses([folder, ...clusters]);
  await removeLeftovers(folder).catch(() => 0); // without an engine nothing runs
  unmountEverythingBelow(folder);
  for (const path of [...clusters, folder]) rmSync(path, { recursive: true, force: true });
}

/** Ends the processes that belong to one of these folders: politely first, because Postgres then releases its memory. */
async function endProcesses(folders: readonly string[]): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    for (const pid of processesOf(folders)) {
      try {
        process.kill(pid, signal);
      } catch {
        // it ended meanwhile
      }
    }
    for (let waited = 0; waited < 5_000 && processesOf(folders).length > 0; waited += 50)
      await setTimeout(50);
  }
}

const processesOf = (folders: readonly string[]): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => folders.some((folder) => belongsTo(pid, folder)))
    .map(Number);

/** Whether a process was started with this folder in its arguments or as TMPDIR, or has its root folder in it. */
function belongsTo(pid: string, folder: string): boolean {
  const read = (name: string): string => {
    try {
      return readFileSync(`/proc/${pid}/${name}`, 'utf8');
    } catch {
      return ''; // it ended, or is another user's
    }
  };
  const inFolder = new RegExp(`${folder}(/|\\0|$)`);
  const root = () =>
    read('mountinfo')
      .split('\n')
      .find((line) => line.split(' ')[4] === '/') ?? '';
  return inFolder.test(read('cmdline')) || inFolder.test(read('environ')) || root().includes(`${folder}/`);
}
