import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '#db/platform/runtime/network-of.ts';

export interface ConnectionLimits {
  /** Connections at once: less than the file descriptors that a process usually has. */
  total: number;
  /** Connections of one network; without bound where a proxy in front makes all of them, or nobody else reaches the site. */
  per_network: number;
}

/** What browsers and proxies need many times over; each costs some 25 kB. */
export const connectionLimits = (is_one_network: boolean): ConnectionLimits => ({
  total: 8_000,
  per_network: is_one_network ? Number.POSITIVE_INFINITY : 1_000,
});

/**
 * Bounds the connections of a server, so that one client which opens thousands and sends nothing leaves room for others. When all
 * are in use, those that wait for another request are closed first.
 */
export function boundConnections(server: Server, { total, per_network }: ConnectionLimits): void {
  const held = new Map<string, number>();
  let open = 0;
  server.maxConnections = total;
  server.on('connection', (socket: Socket) => {
    open += 1;
    if (open >= total) server.closeIdleConnections();
    const network = networkOf(socket.remoteAddress ?? '');
    const count = (held.get(network) ?? 0) + 1;
    held.set(network, count);
    socket.once('close', () => {
      open -= 1;
      const left = held.get(network)! - 1;
      if (left > 0) held.set(network, left);
      else held.delete(network);
    });
    if (count > per_network) socket.destroy();
  });
}
