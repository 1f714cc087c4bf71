import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '#db/testing/database.ts';
import { createApp, type RenderPage, type SiteApp } from './app.ts';
import { closeServer, createHttpServer, listen } from './platform/http/http-server.ts';
import { testApi } from './testing/api.ts';

const api = testApi(testDatabase(), { SITE_URL: 'https://cairn.example', HSTS_SUBDOMAINS: 'on' });
const folder = mkdtempSync(join(tmpdir(), 'cairn-app-'));

const policy = "default-src 'none'; frame-ancestors 'none'";
const page: RenderPage = (req, res) => {
  if (req.url === '/broken') throw new Error('select secret from users');
  res
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy })
    .end('<p>');
};

let app: SiteApp;
let server: ReturnType<typeof createHttpServer>;
let port: number;
beforeAll(async () => {
  mkdirSync(join(folder, 'client/_astro'), { recursive: true });
  writeFileSync(join(folder, 'client/_astro/a.js'), '1');
  const built = { folder: pathToFileURL(join(folder, 'client/')), id: 'test' };
  app = await createApp(api.services as never, { pages: page, built });
  server = createHttpServer(app.handle);
  await listen(server, '127.0.0.1', 0);
  ({ port } = server.address() as AddressInfo);
});
afterAll(async () => {
  await closeServer(server, 100);
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

const ask = (path: string, method = 'GET', headers: Record<string, string> = {}, at = port) =>
  new Promise<{ status: number; headers: IncomingHttpHeaders; body: string }>((done, fail) => {
    request({ port: at, path, method, headers }, async (res) =>
      done({ status: res.statusCode!, headers: res.headers, body: await text(res) }),
    )
      .on('error', fail)
      .end();
  });

describe('every answer forbids guessing of types and frames of other sites, and asks for TLS', () => {
  test.each([
    ['a page', 'GET', '/mods', 200],
    ['a page that fails', 'GET', '/broken', 500],
    ['a write to a page', 'POST', '/mods', 405],
    ['a method that nothing has', 'TRACE', '/mods', 405],
    ['a script', 'GET', '/_astro/a.js', 200],
    ['a document for programs', 'GET', '/robots.txt', 200],
    ['a file', 'GET', '/data/none', 404],
    ['a picture', 'GET', '/data/_image?url=x', 404],
    ['the API', 'GET', '/v2/tag/loader', 200],
    ['an unknown route of the API', 'GET', '/v3/nothing', 404],
    ['a form', 'POST', '/_internal/auth/sign-in', 303],
    ['a transfer while nothing answers', 'GET', '/transfers?ticket=x', 503],
    ['the state of the process', 'GET', '/healthz', 200],
  ])('%s', async (_what, method, path, status) => {
    // the API answers the second request from memory
    for (let tries = 0; tries < 2; tries++) {
      const answer = await ask(path, method);
      expect([answer.status, answer.body.includes('secret')]).toEqual([status, false]);
      expect(answer.headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
      });
      const { 'content-type': type = '' } = answer.headers;
      if (answer.body !== '') expect(type).toMatch(/^application\/json|; charset=utf-8$/);
    }
  });
});

test('a request that is no HTTP is refused with a type that is not guessed', async () => {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.write('nonsense\r\n\r\n');
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1.1 400 /);
  expect(answer).toContain('x-content-type-options: nosniff\r\n');
});

test('figures are for programs of this machine that came through no proxy', async () => {
  for (const path of ['/metrics', '/searchz']) {
    expect((await ask(path)).body).not.toBe('<p>');
    const forwarded = await ask(path, 'GET', { 'x-forwarded-for': '127.0.0.1' });
    expect([path, forwarded.body]).toEqual([path, '<p>']); // a page like any other, which there is none of
  }
});

test('pages are at the name of this machine, everything else at its address too', async () => {
  const settings = { ...api.services.settings, SITE_URL: 'http://localhost:4321' };
  const own = await createApp({ ...api.services, settings } as never, { pages: page, built: null });
  const here = createHttpServer(own.handle);
  await listen(here, '127.0.0.1', 0);
  const at = (path: string, host: string) =>
    ask(path, 'GET', { host }, (here.address() as AddressInfo).port).then(({ status, headers }) => [
      status,
      headers.location,
    ]);
  try {
    expect(await at('/mods?q=a', '127.0.0.1:4321')).toEqual([307, 'http://localhost:4321/mods?q=a']);
    expect(await at('/mods', 'localhost:4321')).toEqual([200, undefined]);
    for (const path of ['/v2/tag/loader', '/healthz', '/data/none'])
      expect([path, (await at(path, '127.0.0.1:4321'))[1]]).toEqual([path, undefined]);
  } finally {
    await closeServer(here, 100);
    await own.close();
  }
});

test('a folder of built files is never listed', async () => {
  for (const path of ['/_astro', '/_astro/', '/_astro/.', '/_astro/..%2f'])
    expect((await ask(path)).body).toBe('<p>');
});
