import { mkdtemp, rm, truncate } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Download } from '#db/discovery/analytics/downloads.ts';
import { Refused } from '#db/platform/errors.ts';
import { diskStorage } from '#db/platform/storage/disk.ts';
import { attachment, filesHandler } from './stored-files.ts';

let folder: string;
let server: Server;
let port: number;
let counted: Download[];
const logged: string[] = [];
let beforeRead: () => Promise<unknown>;

const jar = 'data/AAAA1111/versions/BBBB2222/mod-1.0+1 [fabric].jar';
const jarPath = '/data/AAAA1111/versions/BBBB2222/mod-1.0%2B1%20%5Bfabric%5D.jar';
const content = 'abcdefghijklmnopqrstuvwxyz';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-files-'));
  const storage = diskStorage(folder);
  for (const key of [
    jar,
    'data/AAAA1111/versions/BBBB2222/пак "x".mrpack',
    'data/AAAA1111/versions/BBBB2222/m.jar.asc',
    'data/AAAA1111/versions/BBBB2222/.hidden.jar',
    'data/AAAA1111/abc.png',
    'data/AAAA1111/images/abc_350.webp',
    'data/AAAA1111/page.html',
  ])
    await storage.putBytes(key, Buffer.from(content));
  const handle = filesHandler({
    gone: async ({ version_id }) => {
      if (version_id === 'AWAY1111') throw new Error('The database is away');
      return version_id === 'GONE1111'
        ? new Refused('version_deleted', { version_number: '1', deleted: '2026-01-01' })
        : null;
    },
    storage: {
      ...storage,
      read: async (...wanted) => {
        await beforeRead();
        return await storage.read(...wanted);
      },
    },
    usage: { count: (download) => counted.push(download) },
    settings: { SITE_URL: 'https://cairn.example', COUNTRY_HEADER: 'cf-ipcountry' },
    addressOf: (req) => req.socket.remoteAddress!,
    blocked: { reason: () => null },
    hidden: { access: () => 'open' },
    log: pino({}, { write: (line) => logged.push(line) }),
  });
  server = createServer((req, res) => {
    if (!handle(req, res)) res.writeHead(418).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
beforeEach(() => {
  counted = [];
  logged.length = 0;
  beforeRead = async () => {};
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

/** One request whose path is sent exactly as written. */
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  new Promise<{ status: number; headers: Record<string, unknown>; body: string }>((resolve, reject) => {
    request({ port, path, headers, method }, async (res) =>
      resolve({ status: res.statusCode!, headers: res.headers, body: await text(res) }),
    )
      .on('error', reject)
      .end();
  });

test('a file of a deleted version is 410 with the reason; one that never was, or while the database is away, is 404', async () => {
  const { status, headers, body } = await ask('/data/AAAA1111/versions/GONE1111/mod.jar');
  expect([status, headers['cache-control'], JSON.parse(body)]).toEqual([
    410,
    'no-store',
    { error: 'gone', description: expect.stringContaining('was deleted by its team on 2026-01-01') },
  ]);
  expect((await ask('/data/AAAA1111/versions/NONE1111/mod.jar')).status).toBe(404);
  expect((await ask('/data/AAAA1111/versions/AWAY1111/mod.jar')).status).toBe(404);
});

test('a version file is served whole, with its type and name, cached forever, and counted', async () => {
  const { status, headers, body } = await ask(jarPath);
  expect([status, body]).toEqual([200, content]);
  expect(headers).toMatchObject({
    'content-type': 'application/java-archive',
    'content-length': '26',
    'content-disposition': 'attachment; filename="mod-1.0+1 [fabric].jar"',
    'cache-control': 'public, max-age=31536000, immutable',
    'accept-ranges': 'bytes',
    'access-control-allow-origin': '*',
    'content-security-policy': "sandbox; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    etag: expect.stringMatching(/^"[0-9a-f]+-[0-9a-f]+"$/),
    'last-modified': expect.any(String),
  });
  expect(counted).toMatchObject([{ project_id: 'AAAA1111', version_id: 'BBBB2222', network: '127.0.0.1' }]);
});

test('the path may be less encoded and have a query', async () => {
  expect(
    (await ask('/data/AAAA1111/versions/BBBB2222/mod-1.0+1%20[fabric].jar?mr_download_reason=standalone'))
      .status,
  ).toBe(200);
  expect((await ask('/data/AAAA1111/versions/BBBB2222/.hidden.jar')).status).toBe(200);
});

test('file names beyond ASCII are sent twice: readable by old clients and exact', async () => {
  const { headers } = await ask(`/data/AAAA1111/versions/BBBB2222/${encodeURIComponent('пак "x".mrpack')}`);
  expect(headers['content-disposition']).toBe(
    `attachment; filename="___ \\"x\\".mrpack"; filename*=UTF-8''%D0%BF%D0%B0%D0%BA%20%22x%22.mrpack`,
  );
  expect(headers['content-type']).toBe('application/x-modrinth-modpack+zip');
  expect(attachment(`a'(1)*é.jar`)).toBe(
    `attachment; filename="a'(1)*_.jar"; filename*=UTF-8''a%27%281%29%2A%C3%A9.jar`,
  );
});

test('images are shown inline and not counted; anything else is an attachment', async () => {
  expect((await ask('/data/AAAA1111/abc.png')).headers).toMatchObject({
    'content-type': 'image/png',
    'content-disposition': 'inline',
  });
  expect((await ask('/data/AAAA1111/images/abc_350.webp')).headers['content-type']).toBe('image/webp');
  expect((await ask('/data/AAAA1111/page.html')).headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': 'attachment; filename="page.html"',
    'content-security-policy': "sandbox; frame-ancestors 'none'",
  });
  expect(counted).toMatchObject([]);
  expect((await ask('/data/AAAA1111/versions/BBBB2222/m.jar.asc')).headers['content-type']).toBe(
    'application/pgp-signature',
  );
});

test('a larger copy of an image that was never made is answered with the smallest, and cached shortly', async () => {
  const { status, headers, body } = await ask('/data/AAAA1111/images/abc_1050.webp');
  expect([status, body]).toEqual([200, content]);
  expect(headers['cache-control']).toBe('public, max-age=3600');
  expect((await ask('/data/AAAA1111/images/other_700.webp')).status).toBe(404);
});

test('HEAD gives the same headers without a body and is not counted', async () => {
  const { status, headers, body } = await ask(jarPath, {}, 'HEAD');
  expect([status, body, headers['content-length']]).toEqual([200, '', '26']);
  expect(counted).toMatchObject([]);
});

test.each([
  ['bytes=0-4', 206, 'abcde', 'bytes 0-4/26', 1],
  ['bytes=5-9', 206, 'fghij', 'bytes 5-9/26', 0],
  ['bytes=20-', 206, 'uvwxyz', 'bytes 20-25/26', 0],
  ['bytes=-3', 206, 'xyz', 'bytes 23-25/26', 0],
  ['bytes=0-1,5-6', 200, content, undefined, 1],
  ['lines=1-2', 200, content, undefined, 1],
])(
  'the range %s answers %i, counted only when it includes the first byte',
  async (range, status, body, contentRange, counts) => {
    const answered = await ask(jarPath, { range });
    expect([answered.status, answered.body, answered.headers['content-range'], counted.length]).toEqual([
      status,
      body,
      contentRange,
      counts,
    ]);
  },
);

test('a range beyond the file is 416 with the size', async () => {
  const { status, headers } = await ask(jarPath, { range: 'bytes=26-' });
  expect([status, headers['content-range'], headers['cache-control']]).toEqual([
    416,
    'bytes */26',
    'no-store',
  ]);
  expect(headers['content-disposition']).toBeUndefined();
});

test('a client that has the file gets 304; If-Range with an old ETag restarts the download', async () => {
  const { etag, 'last-modified': modified } = (await ask(jarPath)).headers as Record<string, string>;
  counted = [];
  expect(await ask(jarPath, { 'if-none-match': etag! })).toMatchObject({ status: 304, body: '' });
  // what `fetch` sends with a condition, and a browser on reload
  const reload = { 'if-none-match': etag!, 'cache-control': 'no-cache', pragma: 'no-cache' };
  expect(await ask(jarPath, reload)).toMatchObject({ status: 304, body: '' });
  expect(await ask(jarPath, { 'if-none-match': `"x", W/${etag}` })).toMatchObject({ status: 304 });
  expect(await ask(jarPath, { 'if-none-match': '"other"' })).toMatchObject({ status: 200 });
  counted = [];
  expect(await ask(jarPath, { 'if-modified-since': modified! })).toMatchObject({ status: 304 });
  expect(await ask(jarPath, { 'if-match': '"other"' })).toMatchObject({ status: 412 });
  expect(counted).toMatchObject([]);
  expect(await ask(jarPath, { range: 'bytes=5-9', 'if-range': etag! })).toMatchObject({ status: 206 });
  expect(await ask(jarPath, { range: 'bytes=5-9', 'if-range': '"other"' })).toMatchObject({
    status: 200,
    body: content,
  });
});

test.each([
  '/data/',
  '/data/AAAA1111',
  '/data/AAAA1111/',
  '/data/AAAA1111/versions/',
  '/data/none.png',
  '/data/.env',
  '/data/../tmp/x',
  '/data/%2e%2e/%2e%2e/etc/passwd',
  '/data/..%2f..%2fetc%2fpasswd',
  '/data/AAAA1111%2fabc.png',
  '/data/AAAA1111//abc.png',
  '/data/./AAAA1111/abc.png',
  '/data/AAAA1111/abc.png/',
  '/data/AAAA1111/abc.png/x',
  '/data/a%00b',
  '/data/a%5cb',
  '/data/%zz',
  `/data/${'x'.repeat(5000)}`,
])('%s is not a file: 404 in JSON, not cached', async (path) => {
  const { status, headers, body } = await ask(path);
  expect([status, headers['cache-control'], JSON.parse(body).error]).toEqual([404, 'no-store', 'not_found']);
});

test('other methods are refused, other paths are left to the next handler', async () => {
  expect(await ask(jarPath, {}, 'POST')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  expect(await ask(jarPath, {}, 'OPTIONS')).toMatchObject({
    status: 204,
    headers: { 'access-control-allow-origin': '*' },
  });
  expect((await ask('/mod/x')).status).toBe(418);
  expect((await ask('/database')).status).toBe(418);
});

test('a client that disconnects during a large file breaks nothing for others', async () => {
  const key = 'data/AAAA1111/versions/BBBB2222/big.zip';
  await diskStorage(folder).putBytes(key, Buffer.alloc(1));
  await truncate(join(folder, 'objects', key), 50_000_000);
  const closed = new Promise((resolve) => server.once('request', (_req, res) => res.once('close', resolve)));
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET /${key} HTTP/1.1\r\nhost: x\r\n\r\n`);
  await new Promise((resolve) => socket.once('data', resolve));
  socket.destroy();
  await closed;
  expect(counted).toHaveLength(1);
  expect((await ask(jarPath)).status).toBe(200);
});

test('a client that leaves before the first byte is neither counted nor an error', async () => {
  const left = Promise.withResolvers<void>();
  server.once('request', (_req, res) => res.once('close', left.resolve));
  const socket = connect(port, '127.0.0.1');
  const read = Promise.withResolvers<void>();
  beforeRead = async () => {
    socket.destroy();
    await left.promise;
    setImmediate(read.resolve);
  };
  socket.write(`GET ${jarPath} HTTP/1.1\r\nhost: x\r\n\r\n`);
  await read.promise;
  beforeRead = async () => {};
  expect((await ask('/data/AAAA1111/abc.png')).status).toBe(200);
  expect({ counted, logged }).toEqual({ counted: [], logged: [] });
});

test('what the client says about a download is passed on; nonsense changes nothing', async () => {
  const said = JSON.stringify({ reason: 'dependency', loader: 'toaster' });
  expect((await ask(jarPath, { 'modrinth-download-meta': said })).status).toBe(200);
  expect((await ask(`${jarPath}?mr_download_reason=update`)).status).toBe(200);
  expect((await ask(jarPath, { 'modrinth-download-meta': '{' })).status).toBe(200);
  expect(counted.map(({ meta }) => meta)).toEqual([{ reason: 'dependency' }, { reason: 'update' }, null]);
});

test('a download names its country, source and site; crawlers are not counted', async () => {
  const browser = 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/130.0';
  await ask(jarPath, { 'user-agent': browser, referer: 'https://cairn.example/mod/x', 'cf-ipcountry': 'de' });
  await ask(jarPath, { 'user-agent': 'PrismLauncher/9.1', 'cf-ipcountry': 'XX' });
  await ask(jarPath, { 'user-agent': browser, referer: 'https://blog.example/a?b' });
  await ask(jarPath, {
    'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  });
  expect(counted.map(({ country, source, domain }) => [country, source, domain])).toEqual([
    ['DE', 'website', 'cairn.example'],
    [undefined, 'prism', ''],
    [undefined, 'other', 'blog.example'],
  ]);
});
