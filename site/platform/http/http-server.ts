import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { max_head_bytes } from '#db/platform/http-limits.ts';
import { answerInOrder } from './pipelining.ts';

interface Timeouts {
  /** How long a request head may take, in milliseconds. */
  head_ms?: number;
  /** How long a client may go on sending a body after the answer was sent, in milliseconds. */
  leftover_ms?: number;
}

/**
 * An HTTP server for real clients: request heads up to 33 KiB (launchers send 800 ids in one GET), ten seconds for the
 * head, no limit for a whole request before its answer (uploads have their own minimum rate). A body that still arrives
 * after the answer has ten seconds to end. Malformed heads get 431, 408 or 400 as JSON. The requests of a connection
 * are answered one at a time. Source: stack §3; design §3.7.
 */
export function createHttpServer(
  answer: RequestListener,
  { head_ms = 10_000, leftover_ms = 10_000 }: Timeouts = {},
): Server {
  const inOrder = answerInOrder(answer);
  const server = createServer(
    {
      maxHeaderSize: max_head_bytes,
      headersTimeout: head_ms,
      connectionsCheckingInterval: head_ms / 4, // Node checks the head time-out only every 30 s by default
      requestTimeout: 0,
      keepAliveTimeout: 65_000,
      // other upgrades (Java's client offers h2c) are ignored, and the request is answered as usual
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
    },
    (req, res) => {
      // Node reads an unread request body to its end, however slowly it arrives
      res.once('finish', () => {
        if (!req.complete) endBody(req, leftover_ms);
      });
      inOrder(req, res);
    },
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuse(error, socket as Socket));
  return server;
}

function endBody(req: IncomingMessage, after_ms: number): void {
  setTimeout(() => req.complete || req.socket.destroy(), after_ms).unref();
}

const statuses: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };
const reasonPhrase: Record<number, string> = {
  400: 'The request is not valid HTTP.',
  408: 'The request head took too long to arrive.',
  431: 'The request head is larger than 33 KiB: send fewer ids at once.',
};

function refuse({ code = '' }: NodeJS.ErrnoException, socket: Socket): void {
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = statuses[code] ?? 400;
  endWith(socket, status, { error: 'request_error', description: reasonPhrase[status] });
}

const lingers_ms = 2_000;

/**
 * The last answer on a connection without a `ServerResponse`: an error as JSON. Bytes that still arrive are discarded
 * for two seconds, then the socket is destroyed, whether or not the client closes its side.
 */
export function endWith(socket: Duplex, status: number, refusal: object): void {
  const body = JSON.stringify(refusal);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json\r\n` +
      `x-content-type-options: nosniff\r\ncache-control: no-store\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
  linger(socket);
}

/** Discards what still arrives on a socket after its last answer, and destroys the socket after two seconds. */
export function linger(socket: Duplex): void {
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), lingers_ms);
  socket.once('close', () => clearTimeout(timer));
}

/** Listens; resolves when the server accepts connections. */
export const listen = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((done, fail) => {
    server.once('error', fail);
    server.listen({ host: host.replace(/^\[|\]$/g, ''), port }, done);
  });

/** Accepts no more connections, lets running requests finish for `limit_ms`, then aborts them. */
export async function closeServer(server: Server, limit_ms: number): Promise<void> {
  const closed = new Promise<void>((done) => server.close(() => done()));
  server.closeIdleConnections();
  const hard = setTimeout(() => server.closeAllConnections(), limit_ms);
  await closed;
  clearTimeout(hard);
}
