import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { max_head_bytes } from '#db/http-limits.ts';

/**
 * A server for real clients: request heads up to 33 KiB (launchers send 800 ids in one GET), ten seconds for the head,
 * no limit for a whole request (uploads have their own minimum rate). Heads it cannot read get 431 or 400 as JSON.
 * Source: stack §3; design, Conventions (HTTP limits).
 */
export function openServer(answer: RequestListener): Server {
  const server = createServer(
    {
      maxHeaderSize: max_head_bytes,
      headersTimeout: 10_000,
      requestTimeout: 0,
      keepAliveTimeout: 65_000,
      // other wishes (Java's client asks for h2c) are not granted, and the request is answered as any other
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
    },
    answer,
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuse(error, socket as Socket));
  return server;
}

const statuses: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };
const said: Record<number, string> = {
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
  endWith(socket, status, { error: 'request_error', description: said[status] });
}

/** The last answer on a connection that no `ServerResponse` stands for: a refusal as JSON. */
export function endWith(socket: Duplex, status: number, refusal: object): void {
  const body = JSON.stringify(refusal);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

/** Listens, and settles when connections are taken. */
export const listen = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((done, fail) => {
    server.once('error', fail);
    server.listen({ host: host.replace(/^\[|\]$/g, ''), port }, done);
  });

/** Takes no more connections, lets running requests end for `limit_ms`, then cuts them off. */
export async function closeServer(server: Server, limit_ms: number): Promise<void> {
  const closed = new Promise<void>((done) => server.close(() => done()));
  server.closeIdleConnections();
  const hard = setTimeout(() => server.closeAllConnections(), limit_ms);
  await closed;
  clearTimeout(hard);
}
