import { chmodSync, mkdtempSync, readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where Linux keeps files in memory. */
const memoryDisk = '/dev/shm';
const tmpfs = 0x0102_1994;
const gib = 1024 ** 3;

/**
 * A new folder for the databases of a test run: in memory where there is room, else in TMPDIR. Each test file clones a database
 * of two thousand files and drops it, and ext4 searches long for the numbers of files that were deleted a moment ago: on
 * a disk that took a third of the time of all tests with Postgres. `bin/run-folder.ts` knows by the process id in its name
 * whether the run is alive, and removes it otherwise.
 */
export function clusterFolder(): string {
  const folder = mkdtempSync(join(hasRoom() ? memoryDisk : tmpdir(), `cairn-test-${process.pid}-`));
  chmodSync(folder, 0o711); // as root Postgres is another user, whose cluster would lie elsewhere and stay
  return folder;
}

/** The databases of a run take up to 0.5 GiB; containers often have a memory disk of 64 MiB. */
function hasRoom(): boolean {
  try {
    const { type, bavail, bsize } = statfsSync(memoryDisk);
    const available = Number(/^MemAvailable:\s+(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1]);
    return type === tmpfs && bavail * bsize >= 2 * gib && available * 1024 >= 4 * gib;
  } catch {
    return false; // not Linux
  }
}
