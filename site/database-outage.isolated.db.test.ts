import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { lockProject } from '#db/catalogue/projects/locked.ts';
import { type AppContext, openContext } from '#db/context.ts';
import { migrate } from '#db/migrations/migrate.ts';
import { takeDown } from '#db/moderation/takedowns/write.ts';
import { recordEvent } from '#db/platform/events/write.ts';
import { type EmbeddedPostgres, startPostgres } from '#db/platform/postgres/embedded-postgres.ts';
import { connect, type Pool } from '#db/platform/postgres/sql.ts';
import { toRefused } from '#db/platform/postgres/to-refused.ts';
import { parseSettings } from '#db/platform/runtime/env.ts';
import * as build from '#db/testing/builders/build.ts';
import { kill, resume, suspend } from '#db/testing/outage.ts';
import { createApp, type RenderPage, type SiteApp } from './app.ts';
import { saved_copy_mark } from './platform/http/page-cache/saved-copy-mark.ts';
import { all_tagged } from './platform/http/page-cache/ttl.ts';

/** Starts its own Postgres, because it kills and suspends it. */
const quick = ['fsync=off', 'full_page_writes=off'];
const folder = mkdtempSync(join(tmpdir(), 'cairn-outage-'));
let postgres: EmbeddedPostgres;
let sql: Pool;
const sites: TestSite[] = [];
/** When something was last hidden or shown. */
let moved_at = Number.NEGATIVE_INFINITY;
beforeAll(async () => {
  mkdirSync(join(folder, 'client'));
  postgres = await startPostgres(folder, quick);
  sql = connect({ address: postgres.address, max: 2 });
  await migrate(sql);
  for (const name of ['one', 'two']) sites.push(await openSite(name));
  held = await build.project(sql, { title: 'Held' });
  const moderator = build.actorFor(await build.user(sql, { role: 'moderator' }), { role: 'moderator' });
  await sql.begin(async (tx) =>
    takeDown(tx, moderator, await lockProject(tx, held.id, moderator), {
      reason: 'Order 7',
      now: new Date(),
    }),
  );
  moved_at = performance.now();
});
afterEach(() => resume(postgres));
afterAll(async () => {
  for (const site of sites) await site.close();
  await sql?.end({ timeout: 1 });
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** As a page does, through the middleware: reads the database, says what it shows, answers refusals. */
const page: RenderPage = async (req, res, _next, { services, tag }) => {
  const [, kind, slug = ''] = req.url!.split(/[/?]/);
  if (kind === 'mods' || kind === 'list') for (const one of ['search:mod', all_tagged]) tag!(one);
  else tag!(`project:${slug}`);
  try {
    const rows = await services!.sql<Array<{ id: string; title: string; status: string }>>`
      select id, title, status from projects where slug = ${slug} or (${kind === 'mods'} and status = 'approved')`;
    for (const { id } of rows) tag!(`project:${id}`);
    const titles = rows.filter(({ status }) => status === 'approved').map(({ title }) => title);
    const isPersonal = kind === 'personal';
    res.writeHead(titles.length > 0 || isPersonal ? 200 : 404, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': isPersonal ? 'private, no-store' : 'no-cache',
    });
    res.end(`<p>${titles.join()}</p>${'<i>padding</i>'.repeat(200)}${saved_copy_mark}</body>`);
  } catch (error) {
    res.writeHead(toRefused(error)?.status ?? 500, { 'content-type': 'text/html', 'retry-after': '1' });
    res.end('<p></p>');
  }
};

interface TestSite {
  context: AppContext;
  /** GET, or POST with a body. */
  ask(path: string, headers?: Record<string, string>, json?: unknown): Promise<Answer>;
  close(): Promise<void>;
}
interface Answer {
  status: number;
  text: string;
  headers: Headers;
  took_ms: number;
}

/** One site process, with connections of its own. */
async function openSite(name: string, given: Record<string, string> = {}): Promise<TestSite> {
  const settings = parseSettings({
    ...{ DATABASE_SOCKET: postgres.address, DATA_DIR: join(folder, name), SEED: 'none' },
    ...{ SITE_URL: 'http://cairn.test', RATE_LIMIT_PER_MINUTE: '0', LOG_LEVEL: 'silent' },
    ...given,
  });
  mkdirSync(settings.DATA_DIR, { recursive: true });
  const context = openContext(settings, 'site', { statement_timeout_ms: 15_000 });
  const app: SiteApp = await createApp(
    { ...context, queue: async () => ({ enqueue: async () => {} }) },
    { pages: page, built: { folder: pathToFileURL(join(folder, 'client/')), id: 'test' } },
  );
  const server: Server = createServer((req, res) => void app.handle(req, res));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    context,
    async ask(path, headers = {}, json) {
      const began = performance.now();
      const sent = json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) };
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers, redirect: 'manual', ...sent });
      const text = await answer.text();
      return { status: answer.status, text, headers: answer.headers, took_ms: performance.now() - began };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await app.close();
      await context.close();
    },
  };
}

const isSaved = ({ headers }: Answer) => headers.has('cache-status');
/** Waits until every site answers `path` with `status`, as it usually does: no saved copy. */
const usually = async (path: string, status = 200) => {
  for (const { ask } of sites)
    await expect
      .poll(
        async () => {
          const answer = await ask(path);
          return [answer.status, isSaved(answer)];
        },
        { timeout: 10_000, interval: 100 },
      )
      .toEqual([status, false]);
};
async function move(id: string, to: 'private' | 'approved'): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`update projects set status = ${to} where id = ${id}`;
    const from = to === 'private' ? 'approved' : 'private';
    await recordEvent(tx, { name: 'project.moved', project_id: id, data: { from, to } });
  });
  moved_at = performance.now();
}

let shown: build.BuiltProject;
let hidden: build.BuiltProject;
let held: build.BuiltProject;
let uncached: build.BuiltProject;
/** Of a file of `shown`. */
let hash: string;
beforeEach(async () => {
  const titles = ['Shown', 'Hidden', 'Uncached'] as const;
  [shown, hidden, uncached] = (await Promise.all(titles.map((title) => build.project(sql, { title })))) as [
    build.BuiltProject,
    build.BuiltProject,
    build.BuiltProject,
  ];
  hash = (await build.version(sql, shown)).files[0]!.sha1;
  for (const { context } of sites)
    for (const { id } of [shown, held])
      await context.storage.putBytes(`data/${id}/icon.png`, Buffer.from('png'));
  await wait(moved_at + 3_300 - performance.now()); // only then search knows, and lists are stored again
  for (const path of [`/mod/${shown.slug}`, `/mod/${hidden.slug}`, '/mods', `/list/${shown.slug}`])
    await usually(path);
  await usually(`/data/${held.id}/icon.png`, 451);
  for (const { slug } of [shown, hidden]) await usually(`/v2/project/${slug}`);
  for (const { ask } of sites) await ask('/v2/version_files', {}, { hashes: [hash] });
  await move(hidden.id, 'private');
  await wait(2_000);
});

/** What every site does while the database is away. */
async function outage(): Promise<void> {
  for (const { ask } of sites) {
    const answer = await ask(`/mod/${shown.slug}?hl=de-DE`);
    expect([answer.status, answer.took_ms < 2_000], 'another language was not cached').toEqual([503, true]);

    const saved = await ask(`/mod/${shown.slug}`);
    expect([saved.status, saved.text]).toEqual([200, expect.stringContaining('<p>Shown</p>')]);
    expect(Number(saved.headers.get('age'))).toBeGreaterThanOrEqual(2);
    expect(saved.headers.get('cache-status')).toMatch(/^Cairn; hit; ttl=-?\d+; detail=database-unavailable$/);
    expect(saved.headers.get('cache-control')).toBe('no-store');
    expect(saved.text).toMatch(/<aside class="notice saved-copy"><p class="page">You’re seeing a saved copy/);
    const signedIn = await ask(`/mod/${shown.slug}`, { cookie: 'auth-token=mra_secret' });
    expect(signedIn.text).toBe(saved.text);

    for (const path of [`/mod/${hidden.slug}`, '/mods']) {
      const gone = await ask(path);
      expect([404, 503]).toContain(gone.status);
      expect(gone.text).not.toContain('Hidden');
    }

    const list = await ask(`/list/${shown.slug}`);
    expect([list.status, isSaved(list)], 'a list without it only expired').toEqual([200, true]);

    const answer_saved = await ask(`/v2/project/${shown.slug}`);
    expect([answer_saved.status, isSaved(answer_saved)]).toEqual([200, true]);
    expect(JSON.parse(answer_saved.text)).toMatchObject({ title: 'Shown' });
    expect(answer_saved.headers.get('cache-control')).toBe('no-store');
    expect(Number(answer_saved.headers.get('age'))).toBeGreaterThanOrEqual(2);
    expect((await ask(`/v2/project/${hidden.slug}`)).status).toBe(503);
    const files_saved = await ask('/v2/version_files', {}, { hashes: [hash] });
    expect([files_saved.status, isSaved(files_saved)]).toEqual([200, true]);
    expect(Object.keys(JSON.parse(files_saved.text))).toEqual([hash]);
    expect((await ask('/v2/version_files', {}, { hashes: [hash, 'f'.repeat(40)] })).status).toBe(503);

    const refused = [`/mod/${uncached.slug}`, '/personal/x', `/v2/project/${shown.id}`, '/v2/user'];
    for (const path of refused) {
      const now = await ask(path, { authorization: 'mrp_secret' });
      expect([path, now.status, now.headers.get('retry-after')]).toEqual([path, 503, '1']);
      expect(now.took_ms).toBeLessThan(2_000);
    }
    const api = JSON.parse((await ask(`/v2/project/${shown.id}`)).text) as { details: { code: string } };
    expect(api.details.code).toBe('database_away');
    expect((await ask(`/data/${shown.id}/icon.png`)).status).toBe(200);
    expect((await ask(`/data/${held.id}/icon.png`)).status).toBe(451);
    expect((await ask('/healthz')).status).toBe(200);
    const ready = await ask('/readyz');
    expect([ready.status, JSON.parse(ready.text).database]).toEqual([503, false]);
    expect((await ask('/metrics')).text).toMatch(/^page_store_stale\{process="site"\} 1$/m);
  }
}

/**
 * What is slower than this keeps sites from knowing that they are up to date when Postgres stops: then they rightly serve
 * nothing (`stale-window.ts`), which is another case.
 */
const slow_ms = 300;

/**
 * The answers to what `ask` sends while Postgres hangs, none of which took two seconds; null on a machine so busy that for
 * a minute there was no second in which Postgres and this process, and so the sites, ran without long pauses.
 */
async function hanging(ask: () => Array<Promise<Answer>>): Promise<Answer[] | null> {
  const pauses = monitorEventLoopDelay({ resolution: 20 });
  pauses.enable();
  try {
    for (const began = performance.now(); performance.now() - began < 60_000; ) {
      pauses.reset();
      const slowest = await slowestQuery(1_500);
      if (Math.max(slowest, pauses.max / 1e6) > slow_ms) continue;
      suspend(postgres);
      const answers = await Promise.all(ask());
      if (pauses.max / 1e6 < slow_ms) {
        expect(Math.max(...answers.map(({ took_ms }) => took_ms))).toBeLessThan(2_000);
        return answers;
      }
      resume(postgres);
      await usually(`/mod/${shown.slug}`);
    }
    return null;
  } finally {
    pauses.disable();
  }
}

/** How long the slowest query took that was asked in these milliseconds. */
async function slowestQuery(for_ms: number): Promise<number> {
  let slowest = 0;
  for (const began = performance.now(); performance.now() - began < for_ms; ) {
    const asked = performance.now();
    await sql`select 1`;
    slowest = Math.max(slowest, performance.now() - asked);
    await wait(20);
  }
  return slowest;
}

/** After the outage: pages as usual within ten seconds, and what changes is seen at once. */
async function afterwards(): Promise<void> {
  await usually(`/mod/${shown.slug}`);
  await usually(`/v2/project/${shown.id}`);
  await usually('/readyz', 503); // nothing was seeded here
  await move(shown.id, 'private');
  await usually(`/mod/${shown.slug}`, 404);
  for (const { ask } of sites) expect((await ask('/mods')).text).not.toMatch(/Shown|Hidden/);
}

describe('while Postgres is away, two sites serve saved copies and refuse the rest', () => {
  test('when it was killed', async () => {
    await kill(postgres);
    try {
      // at the very first moment too
      for (const { ask } of sites) expect((await ask(`/mod/${shown.slug}`)).status).toBe(200);
      await outage();
    } finally {
      postgres = await startPostgres(folder, quick);
    }
    await afterwards();
  });

  test('when it hangs', { timeout: 120_000 }, async ({ skip }) => {
    const first = await hanging(() =>
      sites.flatMap(({ ask }) => [
        ask(`/mod/${shown.slug}`),
        ...Array.from({ length: 30 }, () => ask(`/v2/project/${shown.id}`)),
        ask(`/mod/${uncached.slug}`),
      ]),
    );
    if (!first) return skip('The machine is too busy');
    const refused = [...Array.from({ length: 31 }, () => 503)];
    expect(first.map(({ status }) => status)).toEqual([200, ...refused, 200, ...refused]);
    await outage();
    resume(postgres);
    await afterwards();
  });

  test('when it hangs, and events are behind, nothing is served', async () => {
    const [one] = sites as [TestSite, TestSite];
    // the connection that receives events is stuck for longer than two seconds before the rest
    const pids = await sql<Array<{ pid: number }>>`
      select pid from pg_stat_activity where application_name = 'cairn events'`;
    for (const { pid } of pids) process.kill(pid, 'SIGSTOP');
    await move(shown.id, 'private');
    await wait(2_200);
    suspend(postgres);
    await expect.poll(() => one.context.watch?.awaySince() ?? null).not.toBeNull();
    for (const { ask } of sites) {
      for (const path of [`/mod/${shown.slug}`, `/v2/project/${shown.slug}`]) {
        const answer = await ask(path);
        expect([answer.status, answer.text.includes('Shown')]).toEqual([503, false]);
      }
    }
    resume(postgres);
    await usually(`/mod/${shown.slug}`, 404);
  });
});

test('saved copies are served for PAGE_STALE_SECONDS, and never with 0', async () => {
  const short = await openSite('short', { PAGE_STALE_SECONDS: '3' });
  const never = await openSite('never', { PAGE_STALE_SECONDS: '0' });
  sites.push(short, never);
  const statuses = () =>
    Promise.all([short, never].map(async ({ ask }) => (await ask(`/mod/${shown.slug}`)).status));
  await usually(`/mod/${shown.slug}`);
  await wait(1_200); // search knows by now what was hidden, so this list is stored
  await usually('/mods');
  suspend(postgres);
  await expect.poll(() => never.context.watch?.awaySince() ?? null).not.toBeNull();
  expect(await statuses()).toEqual([200, 503]);
  const list = await short.ask('/mods');
  expect([list.status, isSaved(list)], 'its second is over').toEqual([200, true]);
  expect(list.text).toContain('Shown');
  await wait(3_000);
  expect(await statuses()).toEqual([503, 503]);
  resume(postgres);
  await usually(`/mod/${shown.slug}`);
});
