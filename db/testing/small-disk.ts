import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  /** Runs `program` with the folder of the disk as its last argument. */
  command(program: string[]): [file: string, ...args: string[]];
  remove(): void;
}

/**
 * A disk with `room` free bytes for a test program. It is a mount that only the program sees: root needs its own mount
 * namespace, others also a user namespace. Without the right to mount, an existing small memory disk (/dev/shm in
 * containers, /run/lock on Debian) is filled until that much is free; without one the test fails.
 */
export function smallDisk(room: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-full-'));
  const mounting = [
    process.getuid?.() === 0 ? '-m' : '-rm',
    'sh',
    '-c',
    `mount -t tmpfs -o size=${room} none "$0" && exec "$@"`,
    folder,
  ];
  if (spawnSync('unshare', [...mounting, 'true']).status === 0)
    return disk((program) => ['unshare', ...mounting, ...program, folder], folder);
  for (const memory of ['/run/lock', '/dev/shm'].filter((path) => existsSync(path))) {
    const { type, bavail, bsize } = statfsSync(memory);
    const free = bavail * bsize;
    if (type !== 0x01021994 || free > 256 * 1024 * 1024) continue;
    const test_command = mkdtempSync(join(memory, 'cairn-full-'));
    writeFileSync(join(test_command, 'filler'), Buffer.alloc(free - room, 1));
    return disk(([file = '', ...args]) => [file, ...args, join(test_command, 'data')], test_command);
  }
  throw new Error(
    'This test needs the right to mount (root or user namespaces) or a memory disk below 256 MiB.',
  );
}

const disk = (command: SmallDisk['command'], folder: string): SmallDisk => ({
  command,
  remove: () => rmSync(folder, { recursive: true, force: true }),
});
