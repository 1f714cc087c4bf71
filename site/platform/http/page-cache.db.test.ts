import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { recordEvent } from '#db/platform/events/write.ts';
import { connect } from '#db/platform/postgres/sql.ts';
import { parseSettings } from '#db/platform/runtime/env.ts';
import { testDatabase } from '#db/testing/database.ts';
import { createFreshness } from './freshness.ts';
import { createPageCache, type PageCache } from './page-cache.ts';

const database = testDatabase();
const endings: Array<() => unknown> = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});
beforeAll(async () => {
  await database.sql`insert into teams (id) values ('team0001')`;
});
let number = 0;
let id = '';
beforeEach(async () => {
  id = `Proj${String(++number).padStart(4, '0')}`;
  await database.sql`
    insert into projects (id, slug, team, title, description, status, license_id, thread_id)
    values (${id}, ${`slug-${id}`}, 'team0001', 'first', 'd', 'approved', 'MIT', 'thread01')`;
});

/** One site process: a page cache, a server and pages that really query the database. */
async function site(given: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-pages-'));
  const settings = parseSettings({ DATA_DIR: folder, SITE_URL: 'https://cairn.example', ...given });
  const services = { settings, sql: database.sql, log: pino({ level: 'silent' }), now: () => clock.now };
  const freshness = createFreshness({ services });
  const store = createPageCache({ services, build: 'test', freshness });
  const clock = { now: new Date() };
  const made = { mayRender: true, renders: 0, hold: Promise.resolve(), seen: [] as IncomingMessage[] };
  async function page(req: IncomingMessage, res: ServerResponse, shows: (tag: string) => void) {
    made.renders += 1;
    made.seen.push(req);
    const [, kind, slug = ''] = req.url!.split(/[/?]/);
    if (kind === 'broken') throw new Error('broken');
    if (kind === 'mods') shows('search:mod');
    shows(`project:${slug}`);
    const rows = await database.sql<Array<{ id: string; title: string; status: string }>>`
      select id, title, status from projects where slug = ${slug} or (${kind === 'mods'} and status = 'approved')`;
    await made.hold;
    for (const row of rows) shows(`project:${row.id}`);
    const visible = rows.filter(({ status }) => status === 'approved');
    const hidden = rows.length > visible.length;
    const person =
      (hidden || kind === 'home') && req.headers.cookie?.includes('auth-token=') ? ' for a member' : '';
    const words = (person ? rows : visible).map(({ title }) => title).join();
    res.writeHead(words ? 200 : 404, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': hidden ? 'private, no-store' : kind === 'home' ? 'private, no-cache' : 'no-cache',
      vary: 'Accept-Language, Cookie',
    });
    res.end(`<p>${words}${person}</p>${'<i>padding</i>'.repeat(200)}`);
  }
  const server = createServer((req, res) => {
    const mayRender = () => made.mayRender || !res.writeHead(429).end();
    store.serve(req, res, page, mayRender).catch(() => res.writeHead(500).end());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  endings.push(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    store.close();
    await freshness.close();
    rmSync(folder, { recursive: true, force: true });
  });
  await expect.poll(() => store.stats().live).toBe(true);
  const { port } = server.address() as AddressInfo;
  const ask = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers, method, redirect: 'manual' });
    const text = await answer.text();
    return { status: answer.status, words: /<p>(.*?)<\/p>/.exec(text)?.[1], text, headers: answer.headers };
  };
  return { store, freshness, made, ask, clock };
}

const path = () => `/mod/slug-${id}`;
const change = (
  fields: Record<string, unknown>,
  name: 'project.edited' | 'project.moved' = 'project.edited',
) =>
  database.sql.begin(async (tx) => {
    await tx`update projects set ${tx(fields)} where id = ${id}`;
    const to = String(fields.status ?? 'approved');
    await recordEvent(
      tx,
      name === 'project.moved'
        ? { name, project_id: id, data: { from: 'approved', to } }
        : { name, project_id: id },
    );
  });
const pages = (store: PageCache) => store.stats().pages;

describe('one process', () => {
  test('renders a page once and sends everybody the same bytes, in a coding each accepts', async () => {
    const one = await site();
    const requested = await Promise.all([1, 2, 3].map(() => one.ask(path())));
    expect(requested.map(({ words }) => words)).toEqual(['first', 'first', 'first']);
    expect(one.made.renders).toBe(1);
    const etags = new Set<string | null>();
    for (const coding of ['br', 'gzip', 'identity']) {
      const { headers, words } = await one.ask(path(), { 'accept-encoding': coding });
      expect([headers.get('content-encoding') ?? 'identity', words]).toEqual([coding, 'first']);
      expect(headers.get('cache-control')).toBe('no-cache');
      expect(headers.get('vary')).toBe('Accept-Language, Cookie, Accept-Encoding');
      etags.add(headers.get('etag'));
      const retried = await one.ask(path(), {
        'accept-encoding': coding,
        'if-none-match': headers.get('etag')!,
      });
      expect([retried.status, retried.text, retried.headers.get('etag')]).toEqual([
        304,
        '',
        headers.get('etag'),
      ]);
    }
    expect(etags.size).toBe(3);
    const chosen = await one.ask(path(), { 'accept-encoding': 'br;q=0, gzip' });
    expect(chosen.headers.get('content-encoding')).toBe('gzip');
    const head = await one.ask(path(), { 'accept-encoding': 'identity' }, 'HEAD');
    expect([head.status, head.text, Number(head.headers.get('content-length')) > 2000]).toEqual([
      200,
      '',
      true,
    ]);
    expect(one.made.renders).toBe(1);
  });

  test('checks the render limit before it renders, not before it answers from the cache', async () => {
    const one = await site();
    await one.ask(path());
    one.made.mayRender = false;
    expect((await one.ask(path())).status).toBe(200);
    expect((await one.ask('/mod/other')).status).toBe(429);
    expect((await one.ask('/mods', { cookie: 'auth-token=mra_secret' })).status).toBe(429);
    expect(one.made.renders).toBe(1);
  });

  test('lets nothing of the first requester into the page', async () => {
    const one = await site();
    await one.ask(path(), {
      cookie: 'auth-token=mra_secret; color-mode=light',
      'user-agent': 'first',
      'x-forwarded-host': 'evil.org',
    });
    const { headers } = one.made.seen[0]!;
    expect(headers).toEqual({
      host: 'cairn.example',
      accept: 'text/html',
      'accept-language': 'en-US',
      cookie: 'locale=en-US',
      'x-forwarded-proto': 'https',
    });
    expect((await one.ask(path())).words).toBe('first');
    expect(one.made.renders).toBe(1);
  });

  test('caches languages and addresses apart, whatever the order of the query', async () => {
    const one = await site();
    await one.ask(`${path()}?a=1&b=2`);
    await one.ask(`${path()}?b=2&a=1&utm_source=x`);
    expect(one.made.renders).toBe(1);
    await one.ask(`${path()}?a=1&b=2`, { cookie: 'locale=ar-XB' });
    await one.ask(`${path()}?a=1`);
    expect(one.made.renders).toBe(3);
  });

  test('keeps a page that differs for signed-in users for all others', async () => {
    const one = await site();
    const home = path().replace(/^\/\w+/, '/home');
    const member = { cookie: 'auth-token=mra_secret' };
    expect(await one.ask(home)).toMatchObject({ status: 200, words: 'first' });
    expect(await one.ask(home)).toMatchObject({ status: 200, words: 'first' });
    expect(one.made.renders).toBe(1);
    for (const renders of [2, 3]) {
      expect(await one.ask(home, member)).toMatchObject({ words: 'first for a member' });
      expect(one.made.renders).toBe(renders);
    }
    expect(await one.ask(home)).toMatchObject({ status: 200, words: 'first' });
    expect(one.made.renders).toBe(3);
  });

  test('renders a personal page for each signed-in user, and serves it to nobody else', async () => {
    const one = await site();
    await change({ status: 'draft' }, 'project.moved');
    const member = { cookie: 'auth-token=mra_secret' };
    expect(await one.ask(path(), member)).toMatchObject({ status: 200, words: 'first for a member' });
    expect(await one.ask(path())).toMatchObject({ status: 404, words: '' });
    expect(await one.ask(path(), member)).toMatchObject({ status: 200, words: 'first for a member' });
    expect((await one.ask(path(), member)).headers.get('cache-control')).toBe('private, no-store');
    const renders = one.made.renders;
    expect(await one.ask(path())).toMatchObject({ status: 404, words: '' });
    expect(one.made.renders).toBe(renders);
    await change({ status: 'approved' }, 'project.moved');
    await one.freshness.sync();
    expect(await one.ask(path())).toMatchObject({ status: 200, words: 'first' });
  });

  test('does not cache failures, and renders again after one', async () => {
    const one = await site();
    expect((await one.ask('/broken/x')).status).toBe(500);
    expect((await one.ask('/broken/x')).status).toBe(500);
    expect([one.made.renders, pages(one.store)]).toEqual([2, 0]);
  });

  test('caches lists for a second', async () => {
    const one = await site();
    await one.ask('/mods');
    one.clock.now = new Date(one.clock.now.getTime() + 900);
    await one.ask('/mods');
    expect(one.made.renders).toBe(1);
    one.clock.now = new Date(one.clock.now.getTime() + 2_000);
    await one.ask('/mods');
    expect(one.made.renders).toBe(2);
  });

  test('serves counters up to a minute old', async () => {
    const one = await site();
    await one.ask(path());
    await recordEvent(database.sql, { name: 'project.counted', data: { project_ids: [id] } });
    await one.freshness.sync();
    one.clock.now = new Date(one.clock.now.getTime() + 59_000);
    await one.ask(path());
    expect(one.made.renders).toBe(1);
    one.clock.now = new Date(one.clock.now.getTime() + 2_000);
    await one.ask(path());
    expect(one.made.renders).toBe(2);
  });

  test('moves pages to disk when memory is full, and finds them there', async () => {
    const one = await site({ PAGE_STORE_BYTES: '40000' });
    const paths = Array.from({ length: 12 }, (_, index) => `${path()}?n=${index}`);
    for (const one_path of paths) await one.ask(one_path);
    expect(one.store.stats().bytes).toBeLessThanOrEqual(40_000);
    expect(one.store.stats().disk_bytes).toBeGreaterThan(0);
    for (const one_path of paths) expect((await one.ask(one_path)).words).toBe('first');
    expect(one.made.renders).toBe(12);
    await change({ title: 'second' });
    await one.freshness.sync();
    for (const one_path of paths) expect((await one.ask(one_path)).words).toBe('second');
  });

  test('caches nothing when the limit is zero', async () => {
    const one = await site({ PAGE_STORE_BYTES: '10' });
    expect([(await one.ask(path())).words, (await one.ask(path())).words]).toEqual(['first', 'first']);
    expect(one.made.renders).toBe(2);
  });
});

describe('two processes', () => {
  test('both serve an edit at once', async () => {
    const [one, two] = [await site(), await site()];
    for (const { ask } of [one, two]) expect((await ask(path())).words).toBe('first');
    await change({ title: 'second' });
    for (const { ask } of [one, two]) await expect.poll(async () => (await ask(path())).words).toBe('second');
  });

  test('serve no byte of a hidden project, nor lists with it', async () => {
    const [one, two] = [await site(), await site()];
    for (const { ask } of [one, two]) {
      await ask(path());
      await ask('/mods');
    }
    await change({ status: 'private', title: 'secret' }, 'project.moved');
    await expect
      .poll(async () =>
        (await Promise.all([one, two].map(({ ask }) => ask(path())))).map(({ status }) => status),
      )
      .toEqual([404, 404]);
    for (const { ask } of [one, two]) {
      expect((await ask(path())).text).not.toContain('secret');
      expect((await ask('/mods')).words).not.toContain('secret');
    }
  });

  test('serve a page that was missing once it exists, also under another address', async () => {
    const one = await site();
    expect((await one.ask('/mod/later')).status).toBe(404);
    expect((await one.ask('/mod/later')).status).toBe(404);
    expect(one.made.renders).toBe(1);
    await change({ slug: 'later' });
    await expect.poll(async () => (await one.ask('/mod/later')).status).toBe(200);
  });

  test('receive a change although an older transaction is still open', async () => {
    const one = await site();
    await one.ask(path());
    let end = () => {};
    const open = database.sql.begin(async (tx) => {
      await tx`select pg_current_xact_id()`;
      await new Promise<void>((go) => {
        end = go;
      });
    });
    await change({ title: 'second' });
    await expect.poll(async () => (await one.ask(path())).words).toBe('second');
    const renders = one.made.renders;
    end();
    await open;
    await change({ title: 'third' });
    await expect.poll(async () => (await one.ask(path())).words).toBe('third');
    expect(one.made.renders).toBe(renders + 1);
  });
});

test('a page invalidated while it renders is not cached, and waiting requests render it again', async () => {
  const one = await site();
  let go = () => {};
  one.made.hold = new Promise((done) => {
    go = done;
  });
  const early = one.ask(path());
  await expect.poll(() => one.made.renders).toBe(1);
  await change({ status: 'private', title: 'secret' }, 'project.moved');
  await one.freshness.sync();
  const timer = one.ask(path());
  go();
  one.made.hold = Promise.resolve();
  expect((await timer).status).toBe(404);
  expect((await early).status).toBe(404);
  expect((await one.ask(path())).text).not.toMatch(/first|secret/);
});

test('render anew while only the event subscription is down, then start empty', async () => {
  const one = await site();
  await one.ask(path());
  const admin = connect({ address: database.address, database: 'postgres', max: 1 });
  endings.push(() => admin.end());
  await admin`alter database ${admin(database.name)} allow_connections false`;
  await database.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'cairn events' and datname = current_database()`;
  await expect.poll(() => one.store.stats().live).toBe(false);
  const before = one.made.renders;
  expect([(await one.ask(path())).words, (await one.ask(path())).words]).toEqual(['first', 'first']);
  expect(one.made.renders).toBe(before + 2);
  await admin`alter database ${admin(database.name)} allow_connections true`;
  await expect.poll(() => one.store.stats()).toMatchObject({ live: true, pages: 0 });
  await change({ title: 'second' });
  await expect.poll(async () => (await one.ask(path())).words).toBe('second');
  expect(pages(one.store)).toBe(1);
});

test('a CDN may cache public pages and is told to purge outdated ones', async () => {
  const reported: unknown[] = [];
  const cdn = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    reported.push(JSON.parse(Buffer.concat(chunks).toString()));
    res.end();
  });
  await new Promise<void>((done) => cdn.listen(0, '127.0.0.1', done));
  endings.push(() => new Promise((done) => cdn.close(done)));
  const one = await site({ PURGE_URL: `http://127.0.0.1:${(cdn.address() as AddressInfo).port}/purge` });
  const { headers } = await one.ask(path());
  expect(headers.get('cache-control')).toBe('public, max-age=0, must-revalidate, s-maxage=600');
  expect(headers.get('cache-tag')).toBe(`project:slug-${id.toLowerCase()},project:${id.toLowerCase()}`);
  await change({ status: 'private' }, 'project.moved');
  await expect.poll(() => reported).toMatchObject([{ all: false, paths: [path()] }]);
  expect((reported[0] as { tags: string[] }).tags).toContain(`project:${id.toLowerCase()}`);
  expect((await one.ask(path())).headers.get('cache-control')).toBe('private, no-store');
});
