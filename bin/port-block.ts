import { createServer } from 'node:net';

/** Below the ports that systems give to outgoing connections, above those of usual services. */
const [first, last] = [20_000, 30_000];
const max_tries = 50;

/**
 * The first of `size` consecutive ports of loopback that nothing listens on, at a random place, so that several test runs on
 * one machine find different ones. Throws when there is no such block.
 */
export async function freePortBlock(size: number): Promise<number> {
  for (let tries = 0; tries < max_tries; tries++) {
    const start = first + Math.floor(Math.random() * ((last - first) / size)) * size;
    const free = await Promise.all(Array.from({ length: size }, (_, at) => isFree(start + at)));
    if (free.every(Boolean)) return start;
  }
  throw new Error(`No ${size} consecutive ports from ${first} to ${last} are free.`);
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const server = createServer();
    server.once('error', () => done(false));
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => server.close(() => done(true)));
  });
