import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { closeServer, createHttpServer } from './http-server.ts';

async function serve(answer: RequestListener, timeouts = {}) {
  const server = createHttpServer(answer, timeouts);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const connected = once(server, 'connection');
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => {});
  onTestFinished(async () => {
    socket.destroy();
    await closeServer(server, 100);
  });
  await connected;
  const connections = () =>
    new Promise<number>((done) => server.getConnections((_error, count) => done(count)));
  /** Resolves when the server has closed the connection; this side never closes its half. */
  const dropped = () => vi.waitFor(async () => expect(await connections()).toBe(0), { timeout: 10_000 });
  return { socket, text: () => text, dropped };
}
const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`;

test('answers pipelined requests one at a time and in their order', async () => {
  const open: Array<[string, ServerResponse]> = [];
  let max = 0;
  const { socket, text } = await serve((req, res) => {
    max = Math.max(max, 1 + open.filter(([, { writableFinished }]) => !writableFinished).length);
    open.push([req.url!, res]);
  });
  socket.write(get('/1') + get('/2') + get('/3'));
  for (const path of ['/1', '/2', '/3']) {
    await vi.waitFor(() => expect(open.at(-1)?.[0]).toBe(path));
    open.at(-1)![1].end(`answer ${path}.`);
  }
  await vi.waitFor(() =>
    expect(text().match(/answer \/\d/g)).toEqual(['answer /1', 'answer /2', 'answer /3']),
  );
  expect(max).toBe(1);
  // the connection is read again
  socket.write(get('/4'));
  await vi.waitFor(() => expect(open.at(-1)?.[0]).toBe('/4'));
});

test('a body behind a pipelined request arrives when its turn comes', async () => {
  const bodies: string[] = [];
  const { socket } = await serve(async (req, res) => {
    let body = '';
    for await (const chunk of req) body += chunk;
    bodies.push(body);
    res.end();
  });
  const body = 'x'.repeat(300_000);
  socket.write(
    `${get('/1')}POST /2 HTTP/1.1\r\nhost: a\r\ncontent-length: ${body.length}\r\n\r\n${body}${get('/3')}`,
  );
  await vi.waitFor(() => expect(bodies).toHaveLength(3));
  expect(bodies.map(({ length }) => length)).toEqual([0, body.length, 0]);
});

test('a connection with hundreds of waiting requests is destroyed', async () => {
  let begun = 0;
  const { socket, dropped } = await serve(() => {
    begun += 1;
  });
  socket.write(get('/').repeat(300));
  await dropped();
  expect(begun).toBe(1);
});

test('a body that never ends is cut off after its answer', async () => {
  const { socket, text, dropped } = await serve((_req, res) => res.end('a page'), { leftover_ms: 50 });
  socket.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n\r\nx');
  await vi.waitFor(() => expect(text()).toMatch(/^HTTP\/1.1 200 [\s\S]*a page$/));
  await dropped();
});

test('a client that ignores the end of a refused connection is disconnected', async () => {
  const { socket, text, dropped } = await serve((_req, res) => res.end(), { head_ms: 200 });
  socket.write('GET / HTTP/1.1\r\n'); // the head never ends, and this side stays open
  await vi.waitFor(() => expect(text()).toMatch(/^HTTP\/1.1 408 /));
  const drops = setInterval(() => socket.write('x'), 100);
  onTestFinished(() => clearInterval(drops));
  await dropped();
});

test.each([
  ['two lengths', 'content-length: 4\r\ncontent-length: 40'],
  ['a length and chunks', 'content-length: 4\r\ntransfer-encoding: chunked'],
  ['chunks that are not the last coding', 'transfer-encoding: chunked, identity'],
])('a request with %s is refused: where it ends would be a guess', async (_what, headers) => {
  let begun = 0;
  const { socket, text, dropped } = await serve((_req, res) => {
    begun += 1;
    res.end();
  });
  socket.write(`POST / HTTP/1.1\r\nhost: a\r\n${headers}\r\n\r\n0\r\n\r\n${get('/smuggled')}`);
  await vi.waitFor(() => expect(text()).toMatch(/^HTTP\/1.1 400 /));
  await dropped();
  expect([begun, text().includes(' 200 ')]).toEqual([0, false]);
});
