import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';

/** Connections to a bare server; `line` gives the milliseconds until its bytes came to each of the first `count`. */
export interface BareCrowd {
  line(count: number): Promise<number[]>;
  close(): void;
}

/** Starts the bare server with `most` connections. */
export async function openBareCrowd(most: number): Promise<BareCrowd> {
  const server = fork(join(import.meta.dirname, 'bare-server.ts'));
  const [port] = (await once(server, 'message')) as [number];
  let hear: (ms: number) => void = () => {};
  const sockets: Socket[] = [];
  for (let number = 0; number < most; number++) {
    const socket = connect(port, '127.0.0.1');
    socket.on('data', (bytes) => hear(Number(process.hrtime.bigint() - bytes.readBigUInt64LE()) / 1e6));
    sockets.push(socket);
    await once(socket, 'connect');
  }
  return {
    line: (count) =>
      new Promise((done) => {
        const taken: number[] = [];
        hear = (ms) => {
          if (taken.push(ms) === count) done(taken);
        };
        server.send(count);
      }),
    close() {
      for (const socket of sockets) socket.destroy();
      server.kill();
    },
  };
}
