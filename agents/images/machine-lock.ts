import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/**
 * Waits for the lock `name` among all processes of this machine. Gives the function that releases it; it is also
 * released when this process ends in any way, because it is a socket without a file. Calls `waiting` once when it has
 * to wait.
 */
export async function acquireMachineLock(name: string, waiting: () => void): Promise<() => void> {
  const path = `\0cairn-${createHash('sha256').update(name).digest('hex').slice(0, 32)}`;
  for (let first = true; ; first = false) {
    const release = await tryLock(path);
    if (release) return release;
    if (first) waiting();
    await setTimeout(200);
  }
}

function tryLock(path: string): Promise<(() => void) | null> {
  const server = createServer((socket) => socket.destroy());
  return new Promise((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? done(null) : fail(error),
    );
    server.listen(path, () => {
      server.unref();
      done(() => server.close());
    });
  });
}
