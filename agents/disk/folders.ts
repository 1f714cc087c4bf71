import { execFile } from 'node:child_process';
import { chown, mkdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { lowPriority } from '../programs/low-priority.ts';

const run = promisify(execFile);

/** Folder of a server's files on this machine: `<data>/servers/<id>`. */
export const folderOf = (data: string, server_id: string): string => join(data, 'servers', server_id);

/** Whether this process may give files to other users. */
const mayGive = process.getuid?.() === 0;

/** User id of a server's process: its own, or ours when we may not give its files away. */
export const uidFor = (own: number): number => (mayGive ? own : (process.getuid?.() ?? own));

/** Creates the folder, readable only by its server. */
export async function makeFolder(folder: string, uid: number): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (mayGive) await chown(folder, uid, uid);
}

/** Removes a folder with everything in it, at low priority. */
export async function removeFolder(folder: string): Promise<void> {
  const [nice, ...words] = [...lowPriority, 'rm', '-rf', '--one-file-system', folder];
  await run(nice, words);
}

const mb = 1024 * 1024;

/**
 * Megabytes each folder uses on its disk, 0 for a missing one. One `du` is far cheaper than a walk of our own.
 * Source: hosting §1c.
 */
export async function usedMb(folders: readonly string[]): Promise<number[]> {
  const [nice, ...words] = [...lowPriority, 'du', '-s', '-B1', ...folders];
  const { stdout } = await run(nice, words).catch(
    // a file that is removed meanwhile makes `du` complain and go on
    (error: { stdout?: string }) => {
      if (typeof error.stdout === 'string') return { stdout: error.stdout };
      throw error;
    },
  );
  const used = new Map(
    stdout.split('\n').map((line): [string, number] => {
      const [bytes = '', path = ''] = line.split('\t');
      return [path, Number.parseInt(bytes, 10) / mb];
    }),
  );
  return folders.map((folder) => used.get(folder) ?? 0);
}

/** Size and free space of the disk below `path`, in megabytes. */
export async function diskOf(path: string): Promise<{ all_mb: number; free_mb: number }> {
  const { blocks, bavail, bsize } = await statfs(path);
  return { all_mb: Math.floor((blocks * bsize) / mb), free_mb: Math.floor((bavail * bsize) / mb) };
}
