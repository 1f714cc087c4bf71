import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builds, shortBuild } from './build-info.ts';
import { routeRules } from './redirects.ts';

let missing: string[] | Error = ['search'];
let requested = 0;
const answer = builds({
  id: 'abc123',
  async health() {
    requested += 1;
    if (missing instanceof Error) throw missing;
    return { missing };
  },
});
const server = createServer(async (req, res) => {
  if (!(await answer(req, res, new URL(req.url!, 'http://x').pathname))) res.writeHead(418).end();
});
let origin = '';
beforeAll(async () => {
  await new Promise<void>((go) => server.listen(0, '127.0.0.1', go));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
const get = (path: string, method = 'GET') => fetch(origin + path, { method });

test('open pages learn which build is served and what is unavailable', async () => {
  const first = await get('/builds/latest.json?t=1');
  expect(first.headers.get('cache-control')).toBe('no-store');
  expect(await first.json()).toMatchObject({ id: 'abc123', missing: ['search'] });
  missing = new Error('no database');
  await Promise.all([get('/builds/latest.json?t=2'), get('/builds/latest.json?t=3')]);
  expect(requested).toBe(1);
});

test('the route rules of this build are cached forever, those of another build answer 404', async () => {
  const own = await get('/builds/meta/abc123.json');
  expect(own.headers.get('cache-control')).toContain('immutable');
  expect(await own.json()).toMatchObject({ id: 'abc123', redirects: routeRules });
  expect((await get('/builds/meta/older.json')).status).toBe(404);
});

test('other paths are left to the next handler', async () => {
  for (const path of ['/builds/', '/builds/x.json', '/builds/meta/../x.json', '/mods'])
    expect([path, (await get(path)).status]).toEqual([path, 418]);
  expect((await get('/builds/latest.json', 'POST')).status).toBe(418);
});

test('a short build id is the beginning of its hash', () => {
  expect(shortBuild(`${'0123456789abcdef'.repeat(4)}\n`)).toBe('0123456789abcdef');
});
