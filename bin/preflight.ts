import {
  accessSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { UserError } from './user-error.ts';

const mb = 1024 * 1024;
/** A new database takes about 60 MB; a running one needs space for its WAL. */
const min_free_bytes = { first: 192 * mb, later: 32 * mb };

/** Creates the data folder; ends the start with one line when it is not writable or the disk is full. */
export function checkFolder(folder: string, first: boolean): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK | constants.X_OK);
    tryWriting(join(folder, `.probe-${process.pid}`));
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'ENOSPC' || code === 'EDQUOT')
      throw new UserError(`The disk of DATA_DIR=${folder} is full: free some space, then start again.`);
    throw new UserError(
      `DATA_DIR=${folder} is not writable (${code}): choose a folder that this user can write to.`,
    );
  }
  const { bavail, bsize } = statfsSync(folder);
  const needed = first ? min_free_bytes.first : min_free_bytes.later;
  if (bavail * bsize < needed)
    throw new UserError(
      `The disk of DATA_DIR=${folder} is full: ${Math.floor((bavail * bsize) / mb)} MB free, ${needed / mb} MB needed.`,
    );
}

function tryWriting(path: string): void {
  const file = openSync(path, 'w');
  try {
    writeSync(file, Buffer.alloc(64 * 1024));
  } finally {
    closeSync(file);
    rmSync(path, { force: true });
  }
}

const reasons: Record<string, string> = {
  EADDRINUSE: 'is already in use: stop that program or set PORT to a free one',
  EACCES: 'cannot be used by this user: set PORT to one above 1023',
  EADDRNOTAVAIL: 'is not an address of this machine: set HOST to one that is',
  ENOTFOUND: 'is not an address of this machine: set HOST to one that is',
};

/** Ends the start with one line when the port cannot be opened. Gives the port, a free one for 0. */
export async function checkPort(host: string, port: number): Promise<number> {
  const server = createServer();
  return await new Promise<number>((done, fail) => {
    server.once('error', ({ code = '' }: NodeJS.ErrnoException) =>
      fail(new UserError(`Port ${port} on ${host} ${reasons[code] ?? `cannot be opened (${code})`}.`)),
    );
    server.listen({ host: host.replace(/^\[|\]$/g, ''), port, exclusive: true }, () => {
      const { port: found } = server.address() as { port: number };
      server.close(() => done(found));
    });
  });
}
