import { connect, type Socket } from 'node:net';

interface Target {
  host: string[];
  port: number[];
  /** The unix socket when the host is a folder. */
  path?: string | false;
}

/**
 * Creates the sockets of a pool. A socket is destroyed when the server has sent nothing for `silence_ms` after a
 * request, so that queries fail with `database_away` instead of waiting for a server that hangs. Tries several hosts
 * in turn.
 */
export function watchedSocket(silence_ms: number): (target: Target) => Promise<Socket> {
  let attempt = 0;
  return async ({ host, port, path }) => {
    const position = attempt++ % host.length;
    const socket = path ? connect(path) : connect(port[position]!, host[position]);
    watch(socket, silence_ms);
    await new Promise<void>((done, fail) => {
      socket.once('connect', done);
      socket.once('error', fail);
      socket.once('close', () => fail(Object.assign(new Error('closed'), { code: 'CONNECTION_CLOSED' })));
    });
    return socket;
  };
}

function watch(socket: Socket, silence_ms: number): void {
  let silence: NodeJS.Timeout | undefined = setTimeout(() => socket.destroy(), silence_ms).unref();
  const received = () => {
    clearTimeout(silence);
    silence = undefined;
  };
  socket.on('data', received);
  socket.once('connect', received);
  socket.once('close', received);
  const write = socket.write.bind(socket) as (...given: unknown[]) => boolean;
  socket.write = ((...given: unknown[]) => {
    silence ??= setTimeout(() => socket.destroy(), silence_ms).unref();
    return write(...given);
  }) as Socket['write'];
}
