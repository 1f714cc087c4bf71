import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttp, type Server as HttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Server as Sockets } from 'socket.io';
import { io } from 'socket.io-client';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { addressReader } from './address.ts';
import { openControlPlanes } from './control-planes.ts';
import { closeServer, createHttpServer } from './http-server.ts';
import { socketProxy } from './socket-proxy.ts';

/** A real site server in front of a real Socket.IO server; failures come from raw sockets. */
let folder: string;
let gateway: { socketPath: string };
let site: HttpServer;
let port = 0;
let proxy: ReturnType<typeof socketProxy>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-proxy-'));
  gateway = { socketPath: join(folder, 'control.sock') };
  proxy = socketProxy({
    planes: openControlPlanes([gateway]),
    addressOf: addressReader('loopback'),
    limit_ms: 500,
    per_network: 3,
  });
  site = createHttpServer((_req, res) => res.end('a page'));
  site.on('upgrade', proxy.upgrade);
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  port = (site.address() as AddressInfo).port;
});
afterEach(async () => {
  proxy.close();
  await closeServer(site, 100);
  rmSync(folder, { recursive: true, force: true });
});

/** A control plane that reports the client's address and echoes messages. */
async function openPlane(): Promise<{ http: HttpServer; close(): Promise<void> }> {
  rmSync(gateway.socketPath, { force: true });
  const http = createHttp((_req, res) => res.end('not for sockets'));
  const plane = new Sockets(http, { transports: ['websocket'], serveClient: false, maxHttpBufferSize: 2e6 });
  plane.on('connection', (socket) => {
    socket.on('who', (reported) => reported(socket.request.headers));
    socket.on('echo', (text, reported) => reported(text));
  });
  http.listen(gateway.socketPath);
  await once(http, 'listening');
  const close = async () => void (await plane.close());
  onTestFinished(close);
  return { http, close };
}

/** A server in place of the control plane that speaks raw bytes. */
async function openRaw(taken: (socket: Socket) => void): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    taken(socket);
  });
  server.listen(gateway.socketPath);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return server;
}

const held = (server: Server | HttpServer): Promise<number> =>
  new Promise((done) => server.getConnections((_error, count) => done(count)));
const nobodyLeft = (server: Server | HttpServer) =>
  vi.waitFor(async () => expect(await held(server)).toBe(0), { timeout: 20_000 });

/** Sends one request as raw bytes, and gives everything that the site answers until it closes. */
async function said(text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.write(text);
  await once(socket, 'close');
  return received;
}
const handshake = (path: string, ...heads: string[]) =>
  [
    `GET ${path} HTTP/1.1`,
    'Host: cairn.test',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version: 13',
    ...heads,
    '\r\n',
  ].join('\r\n');
const sockets = '/socket.io/?EIO=4&transport=websocket';

function client(heads: Record<string, string> = {}) {
  const socket = io(`http://127.0.0.1:${port}`, {
    transports: ['websocket'],
    extraHeaders: heads,
    reconnectionDelayMax: 100,
  });
  onTestFinished(() => void socket.close());
  return socket;
}

describe('a proxied WebSocket', () => {
  it('carries messages of any size and passes on the client address', async () => {
    await openPlane();
    const socket = client({
      origin: 'http://cairn.test',
      cookie: 'auth-token=mra_x',
      'x-forwarded-for': '203.0.113.7, 198.51.100.2',
      'x-cairn-secret': 'made up',
    });
    const heads = await socket.emitWithAck('who');
    expect(heads).toMatchObject({ origin: 'http://cairn.test', cookie: 'auth-token=mra_x' });
    expect(heads['x-forwarded-for'], 'the last one before a trusted proxy').toBe('198.51.100.2');
    expect(heads).not.toHaveProperty('x-cairn-secret');
    const big = 'stone '.repeat(200_000);
    expect(await socket.emitWithAck('echo', big)).toBe(big);
  });

  it('works again after the control plane was down', async () => {
    const plane = await openPlane();
    const socket = client();
    expect(await socket.emitWithAck('echo', 'one')).toBe('one');
    const lost = new Promise((done) => socket.once('disconnect', done));
    await plane.close();
    await lost;
    await openPlane();
    expect(await socket.emitWithAck('echo', 'two')).toBe('two');
  });

  it.each(['person', 'plane'])('closes on both sides when the %s disconnects', async (who) => {
    let planeSide: Socket | undefined;
    const plane = await openRaw((socket) => {
      planeSide = socket;
      socket.once('data', () =>
        socket.write(
          'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nhello',
        ),
      );
    });
    // neither side answers the other's FIN
    const person = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let received = '';
    person.on('data', (chunk) => {
      received += chunk;
    });
    person.write(handshake(sockets));
    await vi.waitFor(() => expect(received).toMatch(/^HTTP\/1.1 101 [\s\S]*hello$/));
    (who === 'person' ? person : planeSide!).end('bye');
    await nobodyLeft(site);
    person.destroy();
    planeSide!.destroy();
    await nobodyLeft(plane);
  });

  it('cut before the control plane answered leaves nothing open', async () => {
    const requested: Socket[] = [];
    const plane = await openRaw((socket) => requested.push(socket));
    const person = connect(port, '127.0.0.1');
    person.write(handshake(sockets));
    await vi.waitFor(() => expect(requested).toHaveLength(1));
    person.destroy();
    requested[0]!.resume();
    await once(requested[0]!, 'end');
    requested[0]!.destroy();
    await nobodyLeft(plane);
    await nobodyLeft(site);
  });

  it('does not block the shutdown of the server', async () => {
    await openPlane();
    const socket = client();
    await socket.emitWithAck('echo', 'there');
    proxy.close();
    await closeServer(site, 100);
    expect(await held(site)).toBe(0);
  });
});

describe('refused with a JSON error', () => {
  it('while the control plane is down: 503', async () => {
    expect(await said(handshake(sockets))).toMatch(/^HTTP\/1.1 503 [\s\S]*"error":"sockets_away"/);
  });

  it('when the control plane does not answer in time: 503, and its socket is closed', async () => {
    const plane = await openRaw((socket) => socket.resume().once('end', () => socket.end()));
    expect(await said(handshake(sockets))).toMatch(/^HTTP\/1.1 503 /);
    await nobodyLeft(plane);
  });

  it('when the control plane answers nonsense: 502', async () => {
    await openRaw((socket) => socket.once('data', () => socket.end('SSH-2.0-no-plane\r\n\r\n')));
    expect(await said(handshake(sockets))).toMatch(/^HTTP\/1.1 502 /);
  });

  it('by the control plane itself: its answer is passed on', async () => {
    const answer =
      'HTTP/1.1 403 Forbidden\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nnot \r\n3\r\nyou\r\n0\r\n\r\n';
    await openRaw((socket) => socket.once('data', () => socket.end(answer)));
    expect(await said(handshake(sockets))).toBe('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\nnot you');
  });

  it('when one network has too many sockets: 429, until one closes', async () => {
    await openPlane();
    const text = handshake(sockets, 'x-forwarded-for: 192.0.2.7');
    const people: Socket[] = [];
    for (let i = 0; i < 3; i++) {
      const person = connect(port, '127.0.0.1');
      onTestFinished(() => void person.destroy());
      person.write(text);
      await once(person, 'data');
      people.push(person);
    }
    expect(await said(text)).toMatch(/^HTTP\/1.1 429 [\s\S]*"error":"connections_too_many"/);
    const other = connect(port, '127.0.0.1');
    onTestFinished(() => void other.destroy());
    other.write(handshake(sockets, 'x-forwarded-for: 192.0.2.8'));
    expect(String((await once(other, 'data'))[0])).toMatch(/^HTTP\/1.1 101 /);
    people[0]!.destroy();
    await vi.waitFor(async () => {
      const next = connect(port, '127.0.0.1');
      onTestFinished(() => void next.destroy());
      next.write(text);
      expect(String((await once(next, 'data'))[0])).toMatch(/^HTTP\/1.1 101 /);
    });
  });

  it.each([
    ['another address', handshake('/socket.io-admin/?transport=websocket'), 404],
    ['a page', handshake('/servers'), 404],
    ['another transport', handshake('/socket.io/?EIO=4&transport=polling'), 400],
    ['another method', handshake(sockets).replace('GET', 'POST'), 400],
    ['a head that is too large', handshake(sockets, `cookie: ${'x'.repeat(40_000)}`), 431],
  ])('%s', async (_name, text, status) => {
    await openPlane();
    expect(await said(text)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  it('an h2c upgrade is ignored', async () => {
    const input = handshake('/').replace('websocket', 'h2c').replace('Connection: ', 'Connection: close, ');
    expect(await said(input)).toMatch(/^HTTP\/1.1 200 [\s\S]*a page$/);
  });
});
