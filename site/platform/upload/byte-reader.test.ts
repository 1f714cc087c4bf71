import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLargeBody } from './upload-body.ts';

/** Bodies read from the connection itself; `arrived` gives the next request. */
const server = createServer();
let address: AddressInfo;
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  address = server.address() as AddressInfo;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends `bytes` of a body of `announced`, and gives the body as the server reads it. */
async function begin(announced: number, bytes: Uint8Array, window_ms = 15_000) {
  const socket: Socket = connect(address.port, '127.0.0.1');
  socket.write(`PATCH / HTTP/1.1\r\nhost: x\r\ncontent-length: ${announced}\r\n\r\n`);
  socket.write(bytes);
  const [incoming, outgoing] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  const rate = { bytes_per_second: 1000, window_ms };
  return { socket, incoming, outgoing, body: openLargeBody(new Request('http://x/'), incoming, rate) };
}

test('gives all bytes, and frees each piece when the next one is read', async () => {
  const bytes = randomBytes(1024 * 1024);
  const { socket, body } = await begin(bytes.length, bytes);
  const pieces: Buffer[] = [];
  const large: Buffer[] = [];
  for (let piece = await body.read(); piece; piece = await body.read()) {
    pieces.push(Buffer.from(piece));
    if (piece.length >= 16 * 1024) large.push(piece);
  }
  expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
  expect(large.length).toBeGreaterThan(0);
  expect(large.map(({ length }) => length)).toEqual(large.map(() => 0));
  expect(await body.read()).toBeNull();
  socket.destroy();
});

test('refuses upload_incomplete when the client is gone, after what it sent', async () => {
  const { socket, body } = await begin(2000, Buffer.alloc(500));
  expect((await body.read())?.length).toBe(500);
  const next = body.read();
  socket.destroy();
  await expect(next).rejects.toMatchObject({ code: 'upload_incomplete' });
});

test('refuses upload_too_slow when the client rests', async () => {
  const { socket, body } = await begin(2000, Buffer.alloc(5), 100);
  expect((await body.read())?.length).toBe(5);
  await expect(body.read()).rejects.toMatchObject({ code: 'upload_too_slow' });
  socket.destroy();
});

test('ends where it is when asked, and leaves the rest of the connection to others', async () => {
  const { socket, incoming, outgoing, body } = await begin(2000, Buffer.alloc(500));
  expect((await body.read())?.length).toBe(500);
  const next = body.read();
  body.end();
  expect(await next).toBeNull();
  const rest = once(incoming.resume(), 'end');
  socket.write(Buffer.alloc(1500));
  await rest;
  outgoing.end('fine');
  expect(String((await once(socket, 'data'))[0])).toContain('200 OK');
  socket.destroy();
});
