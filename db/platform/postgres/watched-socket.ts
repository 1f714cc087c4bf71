import { connect, type Socket } from 'node:net';

interface Target {
  host: string[];
  port: number[];
  /** The unix socket when the host is a folder. */
  path?: string | false;
}

interface Options {
  /** Called whenever something arrives. */
  heard?: () => void;
}

/** Creates the sockets of a pool. */
export interface SocketSource {
  (target: Target): Socket;
  /** Destroys every open socket: queries that wait for an answer fail. */
  destroyAll(): void;
}

/**
 * Creates the sockets of a pool. A socket is destroyed when the server has sent nothing for `silence_ms` after a
 * request, so that queries fail with `database_away` instead of waiting for a server that hangs. Tries several hosts
 * in turn. Gives a socket before it is connected: the driver loses a connection for good when there is none.
 */
export function watchedSocket(silence_ms: number, { heard = () => {} }: Options = {}): SocketSource {
  let attempt = 0;
  const open = new Set<Socket>();
  const create = ({ host, port, path }: Target): Socket => {
    const position = attempt++ % host.length;
    const socket = path ? connect(path) : connect(port[position]!, host[position]);
    // the driver asks for a certificate of this name
    if (!path) Object.assign(socket, { host: host[position] });
    for (const one of open) if (one.destroyed) open.delete(one);
    open.add(socket);
    watch(socket, silence_ms, heard);
    return socket;
  };
  return Object.assign(create, {
    destroyAll: () => {
      for (const socket of open) socket.destroy();
    },
  });
}

function watch(socket: Socket, silence_ms: number, heard: () => void): void {
  let silence: NodeJS.Timeout | undefined = setTimeout(() => socket.destroy(), silence_ms).unref();
  let has_asked = false;
  const received = () => {
    clearTimeout(silence);
    silence = undefined;
  };
  socket.on('data', () => {
    received();
    heard();
  });
  socket.once('connect', () => {
    if (!has_asked) received();
  });
  socket.once('close', received);
  // the driver forgets statements of a connection that ends with an error, and the next one waits for them forever
  const destroy = socket.destroy.bind(socket);
  let was_connected = false;
  socket.once('connect', () => {
    was_connected = true;
  });
  socket.destroy = (error?: Error) => destroy(was_connected ? undefined : error);
  const write = socket.write.bind(socket) as (...given: unknown[]) => boolean;
  socket.write = ((...given: unknown[]) => {
    has_asked = true;
    silence ??= setTimeout(() => socket.destroy(), silence_ms).unref();
    return write(...given);
  }) as Socket['write'];
}
