import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rename, unlink } from 'node:fs/promises';
import { isRawName } from '#db/platform/files/raw-names/rules.ts';
import { lowPriority } from '../programs/low-priority.ts';
import { systemCode } from './file-error.ts';
import type { Folder } from './folder.ts';

/** Names of one command: together they stay far below what the system allows. */
const batch = 200;

/**
 * Removes files and folders with all that is in them. A link is removed, never what it leads to. `rm` walks by descriptors
 * too, and however deep folders are. What is missing counts as removed.
 */
export async function removeAll(folder: Folder, names: readonly string[]): Promise<void> {
  const folders: string[] = [];
  for (const name of names)
    await unlink(folder.at(name)).catch((error) => {
      // Linux says EISDIR, POSIX EPERM
      if (!['EISDIR', 'EPERM'].includes(systemCode(error) ?? '') && systemCode(error) !== 'ENOENT')
        throw error;
      if (systemCode(error) !== 'ENOENT') folders.push(name);
    });
  for (const [place, name] of folders.entries())
    if (isRawName(name)) folders[place] = await renamed(folder, name);
  for (let from = 0; from < folders.length; from += batch)
    await remove(
      folder,
      folders.slice(from, from + batch).map((name) => `./${name}`),
    );
}

/** Gives a folder a name that a command line can have: that takes UTF-8 only. */
async function renamed(folder: Folder, name: string): Promise<string> {
  const plain = `removed-${randomUUID()}`;
  await rename(folder.at(name), folder.at(plain));
  return plain;
}

async function remove(folder: Folder, paths: readonly string[]): Promise<void> {
  // the child has no descriptor of ours: it starts in the folder
  const cwd = `/proc/${process.pid}/fd/${folder.handle.fd}`;
  const [nice, ...args] = [...lowPriority, 'rm', '-rf', '--one-file-system', '--', ...paths];
  const child = spawn(nice, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(0, 500);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`rm ended with ${code ?? 'a signal'}: ${said.trim()}`);
}
