import { type IncomingMessage, request, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { networkOf } from './address.ts';
import { endWith, linger } from './http-server.ts';
import { targetOf } from './request-target.ts';

/** Where the control plane listens, as given by `controlAddress` of db/runtime/control-address.ts. */
type GatewayAddress = { socketPath: string } | { url: URL };

interface Options {
  gateway: GatewayAddress;
  /** The client's address, behind the trusted proxies. */
  addressOf(req: IncomingMessage): string;
  /** How long the control plane may take to answer a handshake, in milliseconds. */
  limit_ms?: number;
  /** How many sockets one network may open; each costs descriptors in two processes. */
  per_network?: number;
}

export interface SocketProxy {
  /** Takes over the socket of an upgrade request. */
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Closes open sockets and refuses new ones: without it a shutdown would wait until all clients disconnect. */
  close(): void;
}

const path = '/socket.io/';
const dead_after_ms = 30_000;

/** Whether a request wants to become a WebSocket. Other upgrades (Java's client offers h2c) may be ignored. */
const wantsSocket = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === 'websocket';

/** Whether a request is for the control plane's sockets. */
export const namesSockets = ({ url }: IncomingMessage): boolean => targetOf(url).split('?', 1)[0] === path;

/**
 * Proxies WebSockets of `/socket.io/` to the control plane, so that pages, API and sockets share one origin. Bytes are
 * streamed with the backpressure of the slower side. Refuses with JSON: 404 for other paths, 400 for an invalid
 * handshake, 503 while the control plane is down, 502 for a malformed answer; its own refusals are passed on.
 * `X-Forwarded-For` is exactly the client's address. Source: design §4.11.
 */
export function socketProxy({
  gateway,
  addressOf,
  limit_ms = 10_000,
  per_network = 64,
}: Options): SocketProxy {
  const open = new Set<Duplex>();
  const held = new Map<string, number>();
  let closed = false;

  const upgrade: SocketProxy['upgrade'] = (req, socket, head) => {
    socket.on('error', () => socket.destroy()); // a client that disconnected during the handshake
    if (closed) return refuse(socket, 503);
    if (!namesSockets(req)) return refuse(socket, 404);
    if (req.method !== 'GET' || !wantsSocket(req) || !/[?&]transport=websocket(&|$)/.test(req.url ?? ''))
      return refuse(socket, 400);
    const address = addressOf(req);
    const network = networkOf(address);
    const count = held.get(network) ?? 0;
    if (count >= per_network) return refuse(socket, 429);
    held.set(network, count + 1);
    socket.once('close', () => {
      const left = held.get(network)! - 1;
      if (left > 0) held.set(network, left);
      else held.delete(network);
    });
    const onward = request({
      ...('url' in gateway ? { host: gateway.url.hostname, port: gateway.url.port || 80 } : gateway),
      path: targetOf(req.url),
      headers: { ...passed(req), 'x-forwarded-for': address },
      agent: false,
    });
    const timeout = setTimeout(() => onward.destroy(), limit_ms);
    const has_closed = () => onward.destroy();
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.once('close', has_closed);
    onward.once('close', () => clearTimeout(timeout));
    onward.once('error', (error: NodeJS.ErrnoException) =>
      refuse(socket, error.code?.startsWith('HPE_') ? 502 : 503),
    );
    onward.once('response', (answer) => {
      socket.write(headOf(answer.statusCode ?? 502, answer));
      answer.pipe(socket);
      linger(socket);
    });
    onward.once('upgrade', (answer: IncomingMessage, plane: Socket, first: Buffer) => {
      clearTimeout(timeout);
      socket.off('close', has_closed);
      socket.write(headOf(101, answer));
      if (first.length > 0) socket.write(first);
      if (head.length > 0) plane.write(head);
      join(socket as Socket, plane);
    });
    onward.end();
  };
  return {
    upgrade,
    close() {
      closed = true;
      for (const socket of open) socket.destroy();
    },
  };
}

/** Connects two sockets: when one closes, so does the other. Half of a WebSocket is useless. */
function join(a: Socket, b: Socket): void {
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const) {
    one.setTimeout(0);
    one.setNoDelay(true);
    one.setKeepAlive(true, dead_after_ms);
    one.on('error', () => one.destroy());
    one.once('end', () => one.destroySoon());
    one.once('close', () => other.destroySoon());
    one.pipe(other);
  }
}

/** What a handshake may carry: the WebSocket headers, and the client's address. */
const isUpgradeTo =
  /^(host|origin|cookie|authorization|user-agent|accept-language|connection|upgrade|sec-websocket-.*)$/;

const passed = ({ headers }: IncomingMessage): NodeJS.Dict<string | string[]> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => isUpgradeTo.test(name)));

function headOf(status: number, { rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): string {
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    // the body is forwarded without chunk framing; it ends with the connection
    if (/^(transfer-encoding|keep-alive)$/i.test(rawHeaders[at]!)) continue;
    if (status !== 101 && /^connection$/i.test(rawHeaders[at]!)) continue;
    lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  }
  if (status !== 101) lines.push('connection: close');
  return `${lines.join('\r\n')}\r\n\r\n`;
}

const reasonPhrase = {
  400: ['request_error', 'Only WebSockets of Socket.IO are spoken here.'],
  404: ['not_found', 'There is no WebSocket at this address.'],
  429: ['connections_too_many', 'Too many connections are open. Close some and try again.'],
  502: ['sockets_away', 'Game servers cannot be reached right now. Try again soon.'],
  503: ['sockets_away', 'Game servers cannot be reached right now. Try again soon.'],
} as const;

function refuse(socket: Duplex, status: keyof typeof reasonPhrase): void {
  const [error, description] = reasonPhrase[status];
  endWith(socket, status, { error, description });
}
