import { once } from 'node:events';
import { createServer as createHttp, type Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Server as Sockets } from 'socket.io';
import { io } from 'socket.io-client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { addressReader } from './address.ts';
import { openControlPlanes } from './control-planes.ts';
import { closeServer, createHttpServer } from './http-server.ts';
import { socketProxy } from './socket-proxy.ts';

/** Several control planes behind one site. */

const addressOf = (server: { address(): unknown }) => ({
  url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
});

interface Plane {
  http: HttpServer;
  address: { url: URL };
  /** What `/readyz` answers; null is no answer. */
  ready: number | null;
  sockets(): number;
  close(): Promise<void>;
}

/** A control plane that says its name. */
async function plane(name: string): Promise<Plane> {
  const http = createHttp((_req, res) => {
    if (made.ready !== null) res.writeHead(made.ready).end();
  });
  const sockets = new Sockets(http, { transports: ['websocket'], serveClient: false });
  sockets.on('connection', (socket) => socket.on('who', (said) => said(name)));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const made: Plane = {
    http,
    address: addressOf(http),
    ready: 200,
    sockets: () => sockets.engine.clientsCount,
    close: async () => {
      http.closeAllConnections();
      await sockets.close();
    },
  };
  onTestFinished(() => made.close());
  return made;
}

/** A server that takes connections and says nothing. */
async function hanging(): Promise<{ address: { url: URL }; held: Socket[] }> {
  const held: Socket[] = [];
  const server = createServer((socket) => void held.push(socket.on('error', () => {})));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of held) socket.destroy();
    server.close();
  });
  return { address: addressOf(server), held };
}

async function site(addresses: { url: URL }[]): Promise<{ port: number }> {
  const planes = openControlPlanes(addresses, 100);
  const proxy = socketProxy({ planes, addressOf: addressReader(''), limit_ms: 2_000, next_ms: 300 });
  const server = createHttpServer((_req, res) => res.end());
  server.on('upgrade', proxy.upgrade);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    planes.close();
    proxy.close();
    await closeServer(server, 100);
  });
  return { port: (server.address() as AddressInfo).port };
}

function client({ port }: { port: number }) {
  const socket = io(`http://127.0.0.1:${port}`, {
    ...{ transports: ['websocket'], forceNew: true, reconnectionDelay: 50, reconnectionDelayMax: 100 },
  });
  onTestFinished(() => void socket.close());
  return socket;
}
const who = (socket: ReturnType<typeof client>): Promise<string> => socket.timeout(5_000).emitWithAck('who');

describe('a site with several control planes', () => {
  it('uses all of them, the emptiest first', async () => {
    const planes = await Promise.all([plane('a'), plane('b')]);
    const door = await site(planes.map(({ address }) => address));
    for (let i = 0; i < 6; i++) await who(client(door));
    expect(planes.map((one) => one.sockets())).toEqual([3, 3]);
  });

  it('goes to the next when one refuses, hangs, answers nonsense or an error', async () => {
    const good = await plane('good');
    const silent = await hanging();
    const nonsense = createServer((socket) => {
      socket.on('error', () => {}).once('data', () => socket.end('SSH-2.0-no-plane\r\n\r\n'));
    }).listen(0, '127.0.0.1');
    const failing = createHttp((_req, res) => res.writeHead(200).end())
      .on('upgrade', (_req, socket) => socket.end('HTTP/1.1 503 Service Unavailable\r\n\r\n'))
      .listen(0, '127.0.0.1');
    await Promise.all([nonsense, failing].map((server) => once(server, 'listening')));
    onTestFinished(() => {
      nonsense.close();
      failing.close();
    });
    const refusing = { url: new URL('http://127.0.0.1:1') };
    for (const bad of [refusing, silent.address, addressOf(nonsense), addressOf(failing)]) {
      const door = await site([bad, good.address]);
      for (let i = 0; i < 4; i++) expect(await who(client(door))).toBe('good');
    }
  });

  it('answers 503 when all hang, in the time of one', async () => {
    const [one, other] = [await hanging(), await hanging()];
    const { port } = await site([one.address, other.address]);
    const began = performance.now();
    const socket = io(`http://127.0.0.1:${port}`, { transports: ['websocket'], reconnection: false });
    onTestFinished(() => void socket.close());
    const [error] = (await new Promise<unknown[]>((done) =>
      socket.once('connect_error', (...all) => done(all)),
    )) as [{ description: { message: string } }];
    expect(error.description.message).toContain('503');
    expect(performance.now() - began).toBeLessThan(2_900);
  });

  it('prefers those that say that they are ready', async () => {
    const [lost, good] = [await plane('lost'), await plane('good')];
    lost.ready = 503;
    const door = await site([lost.address, good.address]);
    await new Promise((done) => setTimeout(done, 300));
    for (let i = 0; i < 5; i++) expect(await who(client(door))).toBe('good');
    good.ready = 503;
    lost.ready = 200;
    await new Promise((done) => setTimeout(done, 300));
    expect(await who(client(door))).toBe('lost');
  });

  it('drops the connections to one that does not answer any more: clients come back at the other', async () => {
    const planes = await Promise.all([plane('a'), plane('b')]);
    const door = await site(planes.map(({ address }) => address));
    const socket = client(door);
    const first = await who(socket);
    const own = planes[first === 'a' ? 0 : 1]!;
    own.ready = null; // stopped: its sockets stay open and say nothing
    await vi.waitFor(async () => expect(await who(socket)).toBe(first === 'a' ? 'b' : 'a'), {
      timeout: 5_000,
    });
    // one that says that it is not ready drops them itself, or keeps them
    own.ready = 503;
    await new Promise((done) => setTimeout(done, 500));
    expect(socket.connected).toBe(true);
  });
});
