import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseSettings } from '#db/platform/runtime/env.ts';
import { openStaticPages, type StaticPages } from './static-pages.ts';

const folder = mkdtempSync(join(tmpdir(), 'cairn-static-'));
const page = (language: string) =>
  `<html lang="${language}" data-build="{{BUILD}}"><head><meta http-equiv="content-security-policy" content="default-src 'none';img-src 'self' data:"></head><a href="/mods?hl={{hl}}">{{SITE_URL}}</a></html>`;
let pages: StaticPages;
let server: Server;
let url = '';

beforeAll(async () => {
  for (const part of ['news', 'de-DE/news/_', 'xx-XX']) mkdirSync(join(folder, part), { recursive: true });
  writeFileSync(join(folder, 'news.html'), page('en-US'));
  writeFileSync(join(folder, 'de-DE/news.html'), page('de-DE'));
  writeFileSync(join(folder, 'xx-XX/news.html'), page('xx-XX')); // built, but not offered here
  writeFileSync(join(folder, 'news/_payload.json'), '{"site":"{{SITE_URL}}"}');
  writeFileSync(join(folder, 'frog.html'), '<meta name="robots" content="noindex">');
  const settings = { ...parseSettings({}), SITE_URL: 'http://127.0.0.1:1', CDN_URL: 'https://cdn.example' };
  pages = openStaticPages({ folder, settings, build: 'b1' });
  server = createServer(async (req, res) => {
    if (!(await pages.serve(req, res, (req.url ?? '').split('?')[0] ?? ''))) res.writeHead(404).end('none');
  }).listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}) => fetch(url + path, { headers });

it('serves the language of hl, the cookie, then the browser', async () => {
  const cases: Array<[string, Record<string, string>, string]> = [
    ['/news', {}, 'en-US'],
    ['/news', { 'accept-language': 'de' }, 'de-DE'],
    ['/news', { 'accept-language': 'de', cookie: 'locale=en-US' }, 'en-US'],
    ['/news?hl=de-DE', { cookie: 'locale=en-US' }, 'de-DE'],
    ['/news', { 'accept-language': 'ar' }, 'en-US'], // not built in this folder
  ];
  for (const [path, headers, language] of cases) {
    const answer = await get(path, headers);
    expect([path, answer.headers.get('content-language')]).toEqual([path, language]);
    expect(await answer.text()).toContain(`lang="${language}"`);
  }
});

it('fills in settings and keeps hl only when the address has it', async () => {
  const text = await (await get('/news')).text();
  expect(text).toContain('data-build="b1"');
  expect(text).toContain('<a href="/mods">http://127.0.0.1:1</a>');
  expect(await (await get('/news?hl=de-DE')).text()).toContain('href="/mods?hl=de-DE"');
  expect(await (await get('/news?hl=xx')).text()).toContain('href="/mods"');
});

it('sends the policy as a header, with the address of files, and not in the page', async () => {
  const answer = await get('/news');
  expect(answer.headers.get('content-security-policy')).toBe(
    "default-src 'none';img-src 'self' https://cdn.example data:; frame-ancestors 'none'",
  );
  expect(answer.headers.get('x-frame-options')).toBe('DENY');
  expect(await answer.text()).not.toContain('http-equiv');
});

it('answers 304 to a client that has the bytes', async () => {
  const etag = (await get('/news')).headers.get('etag') ?? '';
  expect((await get('/news', { 'if-none-match': etag })).status).toBe(304);
});

it('lets pages of other origins read feeds and data, but not pages', async () => {
  const origin = async (path: string) => (await get(path)).headers.get('access-control-allow-origin');
  expect([await origin('/news/_payload.json'), await origin('/news')]).toEqual(['*', null]);
});

it('serves payloads as JSON', async () => {
  const answer = await get('/news/_payload.json');
  expect(answer.headers.get('content-type')).toContain('application/json');
  expect(await answer.json()).toEqual({ site: 'http://127.0.0.1:1' });
});

it('knows no other address: files by name, languages in front, another case, a slash, a way up', async () => {
  for (const path of [
    '/news.html',
    '/de-DE/news',
    '/de-DE/news.html',
    '/xx-XX/news',
    '/News',
    '/news/',
    '/..%2fnews',
    '/',
  ]) {
    expect([path, (await get(path)).status]).toEqual([path, 404]);
  }
});

it('lists pages for search engines, but not those that ask not to be listed', () => {
  expect(pages.paths).toEqual(['/news']);
});
