import { createServer } from 'node:net';

/** Ports of test nodes: no installation uses them by itself, and no client gets one from the kernel. */
const [first, last] = [30_100, 32_699];
const at_once = 50;

/**
 * The first of fifty ports that no other test of this machine has, of this run or another one, until this process ends: what
 * holds them is a socket without a file.
 */
export async function claimPorts(): Promise<number> {
  for (let from = first; from + at_once - 1 <= last; from += at_once)
    if (await claimed(`\0cairn-test-ports-${from}`)) return from;
  throw new Error('Tests have all ports of test nodes.');
}

function claimed(path: string): Promise<boolean> {
  const server = createServer();
  return new Promise((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? done(false) : fail(error),
    );
    server.listen(path, () => {
      server.unref();
      done(true);
    });
  });
}
