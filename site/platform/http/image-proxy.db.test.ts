import { createSocket } from 'node:dgram';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { parseSettings } from '#db/platform/runtime/env.ts';
import { imageAddress, imageKey } from '#db/platform/text/image-address.ts';
import { testDatabase } from '#db/testing/database.ts';
import { type ImageProxyOptions, imageProxy } from './image-proxy.ts';

const database = testDatabase();
let key = '';
beforeAll(async () => {
  key = await imageKey(database.sql);
});
const endings: Array<() => unknown> = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function listen(answer: RequestListener): Promise<string> {
  const server: Server = createServer(answer);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  endings.push(() => {
    server.closeAllConnections();
    return new Promise((done) => server.close(done));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An image proxy on its own port. `options` says which addresses it may fetch: by default none on this machine. */
async function start(options: ImageProxyOptions = {}, folder = mkdtempSync(join(tmpdir(), 'cairn-images-'))) {
  endings.push(() => rmSync(folder, { recursive: true, force: true }));
  const settings = { ...parseSettings({}), DATA_DIR: folder };
  const proxy = await imageProxy({ settings, sql: database.sql, log: pino({ level: 'silent' }) }, options);
  const base = await listen((req, res) => void proxy(req, res));
  const request = (url: string, init?: RequestInit) => fetch(base + imageAddress(url, key), init);
  return { base, ask: request, folder, files: () => readdirSync(join(folder, 'cache/images')) };
}

const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(100, 7)]);
const allow = () => true;

describe('an external image', () => {
  test('is served with its bytes, its real type and safe headers, and is fetched once', async () => {
    let requested = 0;
    const other = await listen((_req, res) => {
      requested += 1;
      res.setHeader('content-type', 'text/html').setHeader('set-cookie', 'a=b').end(png);
    });
    const proxy = await start({ allow });
    const answers = await Promise.all([1, 2, 3].map(() => proxy.ask(`${other}/a.png`)));
    const [first] = answers;
    expect(first!.status).toBe(200);
    expect(Buffer.from(await first!.arrayBuffer())).toEqual(png);
    expect(Object.fromEntries(first!.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': '108',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'public, max-age=604800',
    });
    expect(first!.headers.get('set-cookie')).toBeNull();
    const etag = first!.headers.get('etag')!;
    expect((await proxy.ask(`${other}/a.png`, { headers: { 'if-none-match': etag } })).status).toBe(304);
    const head = await proxy.ask(`${other}/a.png`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '108']);
    expect(requested).toBe(1);
  });

  test('is still cached after a restart, and fetched again when its file is gone', async () => {
    let requested = 0;
    const other = await listen((_req, res) => {
      requested += 1;
      res.end(png);
    });
    const one = await start({ allow });
    await one.ask(`${other}/a`);
    const two = await start({ allow }, one.folder);
    expect((await two.ask(`${other}/a`)).status).toBe(200);
    expect(requested).toBe(1);
    for (const name of two.files()) rmSync(join(two.folder, 'cache/images', name));
    expect((await two.ask(`${other}/a`)).status).toBe(200);
    expect(requested).toBe(2);
  });

  test('is cached within the size limit: the least recently used are evicted', async () => {
    const other = await listen((_req, res) => res.end(png));
    const proxy = await start({ allow, cache_bytes: 250 });
    for (const name of ['a', 'b', 'c', 'd']) expect((await proxy.ask(`${other}/${name}`)).status).toBe(200);
    await expect.poll(() => proxy.files().length).toBe(2);
  });

  test('may redirect three times, not four', async () => {
    const other = await listen((req, res) => {
      const left = Number(req.url!.slice(1));
      if (left === 0) res.end(png);
      else res.writeHead(302, { location: `/${left - 1}` }).end();
    });
    const proxy = await start({ allow });
    expect((await proxy.ask(`${other}/3`)).status).toBe(200);
    expect((await proxy.ask(`${other}/4`)).status).toBe(404);
  });

  test.each([
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"></svg>', {}],
    [
      'a page',
      '<!doctype html><script>alert(1)</script> and a lot more text',
      { 'content-type': 'image/png' },
    ],
    ['nothing', '', {}],
    ['too much, as announced', png, { 'content-length': String(11 * 1024 * 1024) }],
    ['a compressed answer', png.subarray(1), { 'content-encoding': 'gzip' }],
  ])('is not served when it is %s', async (_name, body, headers) => {
    const other = await listen((_req, res) => {
      res.writeHead(200, headers as Record<string, string>);
      res.end(body);
    });
    const proxy = await start({ allow });
    expect((await proxy.ask(`${other}/x`)).status).toBe(404);
    expect(proxy.files()).toEqual([]);
  });

  test('is not served when it never ends or exceeds 10 MiB', async () => {
    const other = await listen((req, res) => {
      res.write(png);
      if (req.url === '/slow') return;
      const more = () => {
        while (res.write(Buffer.alloc(65_536)));
      };
      res.on('drain', more);
      more();
    });
    const proxy = await start({ allow, timeout_ms: 1500 });
    const begun = performance.now();
    expect((await proxy.ask(`${other}/slow`)).status).toBe(404);
    expect(performance.now() - begun).toBeLessThan(5000);
    expect((await proxy.ask(`${other}/large`)).status).toBe(404);
    expect(proxy.files()).toEqual([]);
  });
});

describe('nothing on this machine or its network is fetched', () => {
  let requested = 0;
  const inside = () =>
    listen((_req, res) => {
      requested += 1;
      res.end(png);
    });

  test('by address, however it is written', async () => {
    const { port } = new URL(await inside());
    const proxy = await start({ servers: [await nameServer({ localhost: ['127.0.0.1'] })] });
    for (const host of [
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '127.1',
      '0',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      'localhost',
    ]) {
      expect((await proxy.ask(`http://${host}:${port}/`)).status, host).toBe(404);
    }
    for (const url of [
      'http://10.0.0.1/',
      'http://169.254.169.254/latest/meta-data',
      'http://user:pass@127.0.0.1/',
      'file:///etc/passwd',
      'ftp://127.0.0.1/',
      'nonsense',
    ]) {
      expect((await proxy.ask(url)).status, url).toBe(404);
    }
    expect(requested).toBe(0);
  });

  test('by a redirect from outside', async () => {
    const target = await inside();
    const outside = await listen((_req, res) => res.writeHead(302, { location: target }).end());
    const { port } = new URL(outside);
    const proxy = await start({ allow: (_address, request) => String(request) === port });
    expect((await proxy.ask(outside)).status).toBe(404);
    expect(requested).toBe(0);
  });

  test('by a name that resolves to it, even if only one of its addresses does', async () => {
    const { port } = new URL(await inside());
    const names = await nameServer({
      'inside.example': ['127.0.0.1'],
      'mixed.example': ['93.184.216.34', '127.0.0.1'],
    });
    const proxy = await start({ servers: [names] });
    expect((await proxy.ask(`http://inside.example:${port}/`)).status).toBe(404);
    expect((await proxy.ask('http://mixed.example/')).status).toBe(404);
    expect(requested).toBe(0);
  });

  test('an allowed name is fetched from the address that was checked', async () => {
    const { port } = new URL(await inside());
    const names = await nameServer({ 'outside.example': ['127.0.0.1'] });
    const proxy = await start({ servers: [names], allow });
    expect((await proxy.ask(`http://outside.example:${port}/`)).status).toBe(200);
    expect(requested).toBe(1);
  });
});

test('only addresses signed by this installation are fetched', async () => {
  const other = await listen((_req, res) => res.end(png));
  const proxy = await start({ allow });
  const url = encodeURIComponent(`${other}/a.png`);
  for (const query of [`url=${url}`, `url=${url}&s=`, `url=${url}&s=${'A'.repeat(22)}`, '']) {
    expect((await fetch(`${proxy.base}/data/_image?${query}`)).status).toBe(404);
  }
  const post = await proxy.ask(`${other}/a.png`, { method: 'POST' });
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

test('a client that disconnects midway breaks nothing for others', async () => {
  const large = Buffer.concat([png, Buffer.alloc(8 * 1024 * 1024)]);
  const other = await listen((_req, res) => res.end(large));
  const proxy = await start({ allow });
  const stop = new AbortController();
  const answer = await proxy.ask(`${other}/a`, { signal: stop.signal });
  stop.abort();
  await expect(answer.arrayBuffer()).rejects.toThrow();
  expect((await (await proxy.ask(`${other}/a`)).arrayBuffer()).byteLength).toBe(large.length);
});

/** A private name server that answers A records only. Gives `address:port`. */
async function nameServer(names: Record<string, string[]>): Promise<string> {
  const socket = createSocket('udp4');
  socket.on('message', (question, from) => {
    let at = 12;
    const labels: string[] = [];
    while (question[at]) {
      labels.push(question.toString('latin1', at + 1, at + 1 + question[at]!));
      at += question[at]! + 1;
    }
    const wantsA = question.readUInt16BE(at + 1) === 1;
    const addresses = wantsA ? (names[labels.join('.')] ?? []) : [];
    const head = Buffer.from(question.subarray(0, at + 5));
    head.writeUInt16BE(0x8180, 2);
    head.writeUInt16BE(addresses.length, 6);
    head.writeUInt32BE(0, 8);
    const records = addresses.map((address) =>
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 9, 0, 4, ...address.split('.').map(Number)]),
    );
    socket.send(Buffer.concat([head, ...records]), from.port, from.address);
  });
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done));
  endings.push(() => socket.close());
  return `127.0.0.1:${socket.address().port}`;
}
