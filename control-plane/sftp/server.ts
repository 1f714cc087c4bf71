import { type AddressInfo, createServer, type Socket } from 'node:net';
import ssh2 from 'ssh2';
import { networkOf } from '#db/platform/runtime/network-of.ts';
import type { PlaneContext } from '../context.ts';
import { ConnectionCounter } from '../sockets/limits.ts';
import type { AgentStreams } from './agent-streams.ts';
import { serveClient } from './client.ts';
import { SftpConnections } from './connections.ts';
import { openHostKey } from './host-key.ts';
import { sftpLimits } from './limits.ts';
import { SignIns } from './sign-in.ts';
import { WaitingConnections } from './waiting.ts';

/** How often a plane tries to take over the port of another one. */
const retry_ms = 2_000;

export interface SftpServer {
  /** The port it listens on; null while another plane of this machine has it. */
  port(): number | null;
  close(): Promise<void>;
}

/**
 * Serves the files of game servers by SFTP on `host`:`port`. While another plane of this machine listens there, this one
 * waits and takes over when that ends. The host key is in DATA_DIR.
 */
export async function openSftpServer(
  context: PlaneContext,
  streams: AgentStreams,
  { host, port }: { host: string; port: number },
): Promise<SftpServer> {
  const { log, settings } = context;
  const connections = new SftpConnections(context);
  const waiting = new WaitingConnections<Socket>(sftpLimits);
  const signIns = new SignIns(context);
  const onSignedIn = (socket: Socket) => waiting.leave(socket);
  const services = { context, streams, connections, signIns, onSignedIn };
  const addresses = new ConnectionCounter();
  const sockets = new Map<string, { socket: Socket; silent: NodeJS.Timeout }>();
  const key = openHostKey(settings.DATA_DIR);
  const ssh = new ssh2.Server({ hostKeys: [key.private_key], ident: 'Cairn' }, (client, { ip, port }) => {
    const known = sockets.get(`${ip} ${port}`);
    clearTimeout(known?.silent);
    if (known) serveClient(client, known.socket, services);
    else client.end();
  });
  const listener = createServer((socket) => {
    const name = `${socket.remoteAddress} ${socket.remotePort}`;
    // else one customer with IPv6 would have as many addresses as connections
    const address = networkOf(socket.remoteAddress ?? '');
    socket.on('error', () => {});
    // answers are small and waited for
    socket.setNoDelay(true);
    const isFull = sockets.size >= sftpLimits.connections || !waiting.enter(socket, address);
    if (isFull || !addresses.enter(address, sftpLimits.per_address)) {
      waiting.leave(socket);
      socket.destroy();
      return;
    }
    // whoever does not say that it speaks SSH never becomes a client
    const silent = setTimeout(() => socket.destroy(), sftpLimits.sign_in_ms).unref();
    sockets.set(name, { socket, silent });
    socket.on('close', () => {
      clearTimeout(silent);
      sockets.delete(name);
      waiting.leave(socket);
      addresses.leave(address);
    });
    ssh.injectSocket(socket);
  });
  const listening = keepListening(listener, { host, port }, log);
  await listening.tried;
  return {
    port: () => (listener.listening ? (listener.address() as AddressInfo).port : null),
    async close() {
      listening.stop();
      connections.close();
      for (const { socket } of sockets.values()) socket.destroy();
      if (listener.listening) await new Promise((done) => listener.close(done));
    },
  };
}

/** Listens as soon as it can: without SFTP a plane works on. `tried` settles after the first try. */
function keepListening(
  listener: ReturnType<typeof createServer>,
  { host, port }: { host: string; port: number },
  log: PlaneContext['log'],
) {
  const address = { host: host.replace(/^\[|\]$/g, ''), port };
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const { promise, resolve } = Promise.withResolvers<void>();
  listener.on('listening', () => {
    log.info(address, 'SFTP ready');
    resolve();
    if (isStopped) listener.close();
  });
  listener.on('error', (err: NodeJS.ErrnoException) => {
    const isTaken = err.code === 'EADDRINUSE';
    if (!timer && isTaken)
      log.warn(address, 'Another process has the port of SFTP: this one takes over when it ends');
    if (!timer && !isTaken) log.error({ err }, 'SFTP cannot listen, will retry');
    resolve();
    if (!isStopped) timer = setTimeout(() => listener.listen(address), retry_ms).unref();
  });
  listener.listen(address);
  return {
    tried: promise,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
