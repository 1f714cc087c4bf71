import { type IncomingMessage, request, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { endpointOf } from '#db/platform/runtime/control-address.ts';
import { networkOf } from '#db/platform/runtime/network-of.ts';
import type { ControlPlane, ControlPlanes } from './control-planes.ts';
import { endWith, linger } from './http-server.ts';
import { targetOf } from './request-target.ts';

interface Options {
  planes: ControlPlanes;
  /** The client's address, behind the trusted proxies. */
  addressOf(req: IncomingMessage): string;
  /** How long the last control plane that is tried may take to answer a handshake, in milliseconds. */
  limit_ms?: number;
  /** How long one before it may. */
  next_ms?: number;
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
 * Proxies WebSockets of `/socket.io/` to a control plane, so that pages, API and sockets share one origin: to the next one
 * when one refuses or hangs. Bytes are streamed with the backpressure of the slower side. Refuses with JSON: 404 for other
 * paths, 400 for an invalid handshake, 503 while no control plane answers, 502 for a malformed answer; refusals of a
 * control plane are passed on.
 * `X-Forwarded-For` is exactly the client's address. Source: design §4.11.
 */
export function socketProxy({
  planes,
  addressOf,
  limit_ms = 10_000,
  next_ms = 1_500,
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
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    const headers = { ...passed(req), 'x-forwarded-for': address };
    tryNext(planes.inOrder(), { path: targetOf(req.url), headers }, socket, head);
  };

  /** Sends the handshake to the first of these planes that answers. */
  function tryNext(
    [plane, ...others]: ControlPlane[],
    handshake: { path: string; headers: NodeJS.Dict<string | string[]> },
    socket: Duplex,
    head: Buffer,
  ): void {
    if (!plane) {
      refuse(socket, 503);
      return;
    }
    const onward = request({ ...endpointOf(plane.address), ...handshake, agent: false });
    const timeout = setTimeout(() => onward.destroy(), others.length > 0 ? next_ms : limit_ms);
    const has_closed = () => onward.destroy();
    const goOn = () => {
      socket.off('close', has_closed);
      if (socket.destroyed) return; // the client left
      plane.failed();
      tryNext(others, handshake, socket, head);
    };
    socket.once('close', has_closed);
    onward.once('close', () => clearTimeout(timeout));
    onward.once('error', (error: NodeJS.ErrnoException) => {
      if (others.length === 0 && error.code?.startsWith('HPE_')) refuse(socket, 502);
      else goOn();
    });
    onward.once('response', (answer) => {
      if ((answer.statusCode ?? 502) >= 500 && others.length > 0) {
        answer.destroy();
        onward.removeAllListeners('error').on('error', () => {});
        return goOn();
      }
      socket.write(headOf(answer.statusCode ?? 502, answer));
      answer.pipe(socket);
      linger(socket);
    });
    onward.once('upgrade', (answer: IncomingMessage, wire: Socket, first: Buffer) => {
      clearTimeout(timeout);
      socket.off('close', has_closed);
      plane.open.add(socket);
      socket.once('close', () => plane.open.delete(socket));
      socket.write(headOf(101, answer));
      if (first.length > 0) socket.write(first);
      if (head.length > 0) wire.write(head);
      join(socket as Socket, wire);
    });
    onward.end();
  }

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
