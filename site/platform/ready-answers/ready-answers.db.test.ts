import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { recordEvent } from '#db/platform/events/write.ts';
import { openSession } from '#db/platform/people/session.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { createApi } from '../../api/app.ts';
import { apiListener, appliedBefore, type Fetch } from '../../api/listener.ts';
import { testApi } from '../../testing/api.ts';
import { createFreshness } from '../http/freshness.ts';
import { apiLimiter } from '../route/api-limiter.ts';
import { AnswerStore } from './answer-store.ts';
import type { ReadyAnswer } from './ready-answer.ts';
import { readyAnswers } from './ready-answers.ts';
import { openRecords, type RecordPart } from './records.ts';

const database = testDatabase();
const api = testApi(database);
const endings: Array<() => unknown> = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

let project: build.BuiltProject;
let version: build.BuiltVersion;
let token: string;
const file = () => version.files[0]!;
beforeEach(async () => {
  project = await build.project(database.sql, { title: 'first' });
  version = await build.version(database.sql, project, { name: 'First', changelog: 'long '.repeat(300) });
  token = await build.token(database.sql, project.owner);
});

interface Sent {
  status: number;
  headers: IncomingMessage['headers'];
  bytes: Buffer;
  json: never;
}

/** One site process as far as its API: the way of a request in `app.ts`. */
async function site(given: { bytes?: number; per_minute?: number } = {}) {
  const settings = { ...api.services.settings, RATE_LIMIT_PER_MINUTE: given.per_minute ?? 0 };
  const services = { ...api.services, settings };
  const freshness = createFreshness({ services });
  const store = new AnswerStore<ReadyAnswer>(given.bytes ?? 1_000_000);
  const parts = new AnswerStore<RecordPart>(given.bytes ?? 1_000_000);
  for (const one of [store, parts]) freshness.follow(one);
  const limiter = apiLimiter(services);
  const records = openRecords({ services, freshness, store: parts });
  const made = { answers: 0, hold: Promise.resolve() };
  const app = createApi(services, { limiter, records });
  const fetch: Fetch = async (asked, env) => {
    made.answers += 1;
    const answer = await app.fetch(asked, env);
    await made.hold;
    return answer;
  };
  const ready = readyAnswers({
    services,
    fetch,
    limiter,
    freshness,
    store,
    records,
    addressOf: () => '127.0.0.1',
  } as never);
  const listener = apiListener(appliedBefore(fetch, freshness), settings.SITE_URL);
  const answer = async (req: IncomingMessage, res: ServerResponse) => {
    if (ready.sendIfReady(req, res, ['x-request-id', 'one'])) return;
    res.setHeader('x-request-id', 'one');
    if (!(await ready.serve(req, res))) await listener(req, res);
  };
  const server = createServer((req, res) => void answer(req, res));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  endings.push(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    await freshness.close();
  });
  await expect.poll(() => freshness.isLive()).toBe(true);
  const { port } = server.address() as AddressInfo;
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET', json?: unknown) =>
    new Promise<Sent>((done, fail) => {
      const sent = request({ host: '127.0.0.1', port, path, method, headers }, async (got) => {
        const chunks: Buffer[] = [];
        for await (const chunk of got) chunks.push(chunk as Buffer);
        const bytes = Buffer.concat(chunks);
        const text = got.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
        const parsed = text.length > 0 ? JSON.parse(text.toString()) : null;
        done({ status: got.statusCode!, headers: got.headers, bytes, json: parsed as never });
      });
      sent.on('error', fail).end(json === undefined ? undefined : JSON.stringify(json));
    });
  const post = (path: string, json: unknown) =>
    ask(path, { 'content-type': 'application/json' }, 'POST', json);
  return { ask, post, port, made, ready, store, parts, freshness };
}
type TestSite = Awaited<ReturnType<typeof site>>;

const reads = (): string[] =>
  ['v2', 'v3'].flatMap((v) => [
    `/${v}/project/${project.id}`,
    `/${v}/project/${project.slug}`,
    `/${v}/project/${project.id}/version?include_changelog=false&unknown=1`,
    `/${v}/project/${project.id}/version?loaders=${encodeURIComponent('["fabric"]')}`,
    `/${v}/version/${version.id}`,
    `/${v}/version_file/${file().sha1}`,
    `/${v}/version_file/${file().sha512}?algorithm=sha512`,
    `/${v}/projects?ids=${encodeURIComponent(JSON.stringify([project.slug, 'unknown!', project.id]))}`,
    `/${v}/tag/category`,
  ]);

/** Requests for many versions, whose answers are put together. */
const posts = (): Array<[path: string, json: object]> =>
  ['v2', 'v3'].flatMap(
    (v): Array<[string, object]> => [
      [`/${v}/version_files`, { hashes: [file().sha1, 'no hash', file().sha1] }],
      [`/${v}/version_files`, { hashes: [file().sha512, file().sha1], algorithm: 'sha512' }],
      [`/${v}/version_files/update`, { hashes: [file().sha1], loaders: ['fabric'], version_types: null }],
    ],
  );

/** Hides or shows the project, as another process does. */
const move = (to: 'private' | 'approved') =>
  database.sql.begin(async (tx) => {
    await tx`update projects set status = ${to} where id = ${project.id}`;
    const from = to === 'private' ? 'approved' : 'private';
    await recordEvent(tx, { name: 'project.moved', project_id: project.id, data: { from, to } });
  });
const statusesOf = async ({ ask }: TestSite, paths: string[]) =>
  (await Promise.all(paths.map((path) => ask(path)))).map(({ status }) => status);

describe('a ready answer', () => {
  const changing = new Set([
    'date',
    'x-request-id',
    'x-ratelimit-remaining',
    'x-ratelimit-reset',
    'connection',
    'keep-alive',
  ]);
  const fixed = (headers: Iterable<[string, unknown]>) =>
    Object.fromEntries(
      [...headers].filter(([name]) => !changing.has(name)).map(([name, value]) => [name, String(value)]),
    );

  test.each<Record<string, string>>([
    {},
    { 'accept-encoding': 'gzip, deflate, br' },
    { cookie: 'locale=de-DE' },
  ])('has every byte and header that the API sends, with %j', async (asked) => {
    const one = await site();
    const requests = [
      ...reads().map((path) => ['GET', path, undefined] as const),
      ...posts().map(([path, json]) => ['POST', path, json] as const),
    ];
    for (const [method, path, json] of requests) {
      const sent = { ...asked, ...(json && { 'content-type': 'application/json' }) };
      const first = await one.ask(path, sent, method, json);
      const made = one.made.answers;
      const again = await one.ask(path, sent, method, json);
      expect([path, one.made.answers], 'the second one was ready').toEqual([path, made]);
      const own = await api.call(method, path, { headers: asked, ...(json && { json }) });
      const text = await own.text();
      const headers = fixed(own.headers);
      if (headers['content-encoding'] !== 'gzip') headers['content-length'] = String(Buffer.byteLength(text));
      else headers['content-length'] = String(again.bytes.length); // the API itself sends it in chunks
      if (own.headers.get('content-encoding') === 'gzip')
        expect(gunzipSync(again.bytes).length).toBeGreaterThan(1023);
      else expect(again.bytes.toString()).toBe(text);
      for (const answer of path.includes('s?ids') || json ? [again] : [first, again]) {
        expect([path, answer.status, fixed(Object.entries(answer.headers))]).toEqual([path, 200, headers]);
        expect(answer.headers['x-request-id']).toBe('one');
      }
    }
  });

  test('is made once for all who wait, and counts for the rate limit', async () => {
    const one = await site({ per_minute: 5 });
    const path = `/v2/project/${project.id}`;
    const first = await Promise.all([1, 2, 3].map(() => one.ask(path)));
    expect([first.map(({ status }) => status), one.made.answers]).toEqual([[200, 200, 200], 1]);
    expect((await one.ask(path)).headers['x-ratelimit-remaining']).toBe('1');
    expect((await one.ask(path)).headers['x-ratelimit-remaining']).toBe('0');
    const refused = await one.ask(path);
    expect([refused.status, refused.headers['x-ratelimit-limit']]).toEqual([429, '5']);
  });

  test('is never sent to somebody with a token or a session, nor made from theirs', async () => {
    const from = { user_id: project.owner.id, user_agent: null, now: new Date() };
    const { session } = await openSession(database.sql, from);
    const one = await site();
    const path = `/v2/project/${project.id}`;
    await move('private');
    expect((await one.ask(path, { authorization: token })).status).toBe(200);
    expect((await one.ask(path)).status).toBe(404);
    expect(
      (await one.ask(path, { cookie: `auth-token=${session}`, 'sec-fetch-site': 'same-origin' })).status,
    ).toBe(200);
    expect((await one.ask(path)).status).toBe(404);
    expect(one.store.stats().answers).toBe(0);
  });

  test('helps nobody whose token was revoked', async () => {
    const one = await site();
    await one.ask(`/v2/project/${project.id}`);
    expect((await one.ask('/v2/user', { authorization: token })).status).toBe(200);
    await database.sql`delete from tokens where user_id = ${project.owner.id}`;
    expect((await one.ask('/v2/user', { authorization: token })).status).toBe(401);
    expect((await one.ask(`/v2/project/${project.id}/check`)).status).toBe(200);
  });

  test('is no answer to refused requests, other methods and HEAD', async () => {
    const one = await site();
    const path = `/v2/project/${project.id}`;
    await one.ask(path);
    expect((await one.ask(path, {}, 'HEAD')).status).toBe(200);
    expect((await one.ask(`${path}/version?limit=x`)).status).toBe(400);
    expect((await one.ask(`${path}?x=%zz`)).status).toBe(200);
    expect((await one.ask(path, { host: 'a b' })).status).toBe(400);
    expect((await one.ask('/v2/version_file/abc')).status).toBe(404);
  });
});

describe('a change', () => {
  test('is seen by the next read in the process that wrote it', async () => {
    const one = await site();
    for (const path of reads()) await one.ask(path);
    for (const title of ['second', 'third', 'fourth']) {
      const written = await one.ask(
        ...([
          `/v2/project/${project.id}`,
          { authorization: token, 'content-type': 'application/json' },
          'PATCH',
        ] as const),
        { title },
      );
      expect(written.status).toBe(204);
      expect((await one.ask(`/v2/project/${project.id}`)).json).toMatchObject({ title });
      expect((await one.ask(`/v3/project/${project.slug}`)).json).toMatchObject({ name: title });
    }
  });

  test('of followers is read back by who follows', async () => {
    const one = await site();
    const path = `/v2/project/${project.id}`;
    await one.ask(path);
    const follower = await build.token(database.sql, await build.user(database.sql));
    for (const [method, followers] of [
      ['POST', 1],
      ['DELETE', 0],
    ] as const) {
      const done = await one.ask(`${path}/follow`, { authorization: follower }, method);
      expect(done.status).toBe(204);
      expect((await one.ask(path)).json).toMatchObject({ followers });
    }
  });

  test('is seen by the next read in that process also when its events are late', async () => {
    const one = await site();
    const path = `/v2/project/${project.id}`;
    for (let times = 0; times < 2; times++) await one.ask(path);
    const stopped = await database.sql<Array<{ pid: number }>>`
      select pid from pg_stat_activity
      where application_name = 'cairn events' and datname = current_database()`;
    expect(stopped).toHaveLength(1);
    for (const { pid } of stopped) process.kill(pid, 'SIGSTOP');
    try {
      const json = { 'content-type': 'application/json', authorization: token };
      expect((await one.ask(path, json, 'PATCH', { title: 'second' })).status).toBe(204);
      expect((await one.ask(path)).json).toMatchObject({ title: 'second' });
    } finally {
      for (const { pid } of stopped) process.kill(pid, 'SIGCONT');
    }
  });

  test('of a version is seen in every answer that holds it', async () => {
    const one = await site();
    const files = async (): Promise<unknown[]> => [
      (await one.post('/v2/version_files', { hashes: [file().sha1] })).json,
      (await one.post('/v3/version_files/update', { hashes: [file().sha1] })).json,
    ];
    for (const path of reads()) await one.ask(path);
    await files();
    const written = await one.ask(
      ...([
        `/v2/version/${version.id}`,
        { authorization: token, 'content-type': 'application/json' },
        'PATCH',
      ] as const),
      { name: 'Second' },
    );
    expect(written.status).toBe(204);
    expect((await one.ask(`/v2/version/${version.id}`)).json).toMatchObject({ name: 'Second' });
    expect((await one.ask(`/v2/version_file/${file().sha1}`)).json).toMatchObject({ name: 'Second' });
    expect((await one.ask(`/v3/project/${project.id}/version`)).json).toMatchObject([{ name: 'Second' }]);
    for (const found of await files()) expect(found).toMatchObject({ [file().sha1]: { name: 'Second' } });
  });

  test('that hides a project is seen in two processes at once, also in bulk answers', async () => {
    const sites = [await site(), await site()];
    const hashes = { hashes: [file().sha1, file().sha512, 'f'.repeat(40)] };
    const found = async ({ post }: TestSite) =>
      (
        await Promise.all(
          ['v2', 'v3'].flatMap((v) =>
            ['', '/update'].map((route) => post(`/${v}/version_files${route}`, hashes)),
          ),
        )
      ).map(({ json }) => Object.keys(json).length);
    const paths = reads().slice(0, 6);
    for (const one of sites)
      for (let times = 0; times < 2; times++) {
        expect(await statusesOf(one, paths)).toEqual(paths.map(() => 200));
        expect(await found(one)).toEqual([2, 2, 2, 2]);
      }
    await move('private');
    for (const one of sites) {
      await expect.poll(() => statusesOf(one, paths)).toEqual(paths.map(() => 404));
      expect(await found(one)).toEqual([0, 0, 0, 0]);
    }
    await move('approved');
    for (const one of sites) {
      await expect.poll(() => statusesOf(one, paths)).toEqual(paths.map(() => 200));
      expect(await found(one)).toEqual([2, 2, 2, 2]);
    }
  });

  test('of a file or a name that was not there is seen in the next answer', async () => {
    const one = await site();
    const sha1 = 'ab'.repeat(20);
    const ask = async () => [
      Object.keys((await one.post('/v2/version_files', { hashes: [sha1] })).json),
      Object.keys((await one.post('/v3/version_files/update', { hashes: [sha1], loaders: ['fabric'] })).json),
      ((await one.ask('/v2/projects?ids=["brand-new"]')).json as unknown[]).length,
    ];
    expect(await ask()).toEqual([[], [], 0]);
    const { answers } = one.made;
    expect(await ask()).toEqual([[], [], 0]);
    expect(one.made.answers, 'that there is nothing was ready').toBe(answers);
    await database.sql`update files set sha1 = ${sha1} where sha1 = ${file().sha1}`;
    const sent = await one.ask(
      ...([
        `/v2/project/${project.id}`,
        { authorization: token, 'content-type': 'application/json' },
        'PATCH',
      ] as const),
      { slug: 'brand-new' },
    );
    expect(sent.status).toBe(204);
    expect(await ask()).toEqual([[sha1], [sha1], 1]);
  });

  test('while an answer is made keeps it from being stored and sent', async () => {
    const one = await site();
    const path = `/v2/project/${project.id}`;
    let go = () => {};
    one.made.hold = new Promise((done) => {
      go = done;
    });
    const early = one.ask(path);
    await expect.poll(() => one.made.answers).toBe(1);
    await move('private');
    await one.freshness.sync();
    const waiting = one.ask(path);
    go();
    one.made.hold = Promise.resolve();
    expect([(await early).status, (await waiting).status, (await one.ask(path)).status]).toEqual([
      404, 404, 404,
    ]);
    expect(one.store.stats().answers).toBe(0);
  });

  test('of what a version depends on is seen in it', async () => {
    const other = await build.project(database.sql);
    const needed = await build.version(database.sql, other);
    await database.sql`
      insert into dependencies (version_id, project_id, dependency_version_id, dependency_type)
      values (${version.id}, ${other.id}, ${needed.id}, 'required')`;
    const one = await site();
    const path = `/v2/version/${version.id}`;
    await one.ask(path);
    const owner = await build.token(database.sql, other.owner);
    expect((await one.ask(`/v2/version/${needed.id}`, { authorization: owner }, 'DELETE')).status).toBe(204);
    expect((await one.ask(path)).json).toMatchObject({ dependencies: [{ version_id: null }] });
  });
});

describe('many hashes', () => {
  test('give what the API reads from the database, and the same refusals', async () => {
    const one = await site();
    const more = await Promise.all([1, 2, 3].map(() => build.version(database.sql, project)));
    const hashes = [version, ...more].flatMap(({ files }) => [files[0]!.sha1, files[0]!.sha512]);
    for (const v of ['v2', 'v3'])
      for (const [route, json] of [
        ['', { hashes: [...hashes, ...hashes, 'f'.repeat(40), 'no hash'] }],
        ['', { hashes, algorithm: 'sha1' }],
        ['/update', { hashes, algorithm: 'sha512', loaders: ['fabric'], game_versions: [] }],
        ['/update', { hashes, loaders: ['quilt'] }],
        ['', { hashes: [] }],
        ['', { hashes: 'x' }],
        ['/update', { hashes, algorithm: 'md5' }],
      ] as const) {
        const path = `/${v}/version_files${route}`;
        const own = await api.call('POST', path, { json });
        const expected = [own.status, await own.json()];
        for (let times = 0; times < 2; times++) {
          const { status, json: sent } = await one.post(path, json);
          expect([path, status, sent]).toEqual([path, ...expected]);
        }
      }
    expect(one.parts.stats().answers).toBeGreaterThan(8);
  });
});

describe('a question for many things', () => {
  const path = '/v2/version_files';
  const json = { 'content-type': 'application/json' };
  const hashes = () => ({ hashes: [file().sha1] });
  const keysOf = (sent: Sent) => [sent.status, Object.keys(sent.json)];

  test('counts for the rate limit as much when it is ready', async () => {
    const one = await site({ per_minute: 4 });
    for (const left of ['3', '2', '1', '0']) {
      const sent = await one.post(path, hashes());
      expect([sent.status, sent.headers['x-ratelimit-remaining']]).toEqual([200, left]);
    }
    expect((await one.post(path, hashes())).status).toBe(429);
    const long = await site({ per_minute: 4 });
    const sent = await long.post(path, { ...hashes(), padding: 'x'.repeat(33_000) });
    expect([sent.status, sent.headers['x-ratelimit-remaining']]).toEqual([200, '1']);
  });

  test('by somebody who is signed in is answered by the API', async () => {
    const one = await site();
    for (let times = 0; times < 2; times++) expect(keysOf(await one.post(path, hashes()))[1]).toHaveLength(1);
    await move('private');
    await expect.poll(async () => keysOf(await one.post(path, hashes()))).toEqual([200, []]);
    const own = await one.ask(path, { ...json, authorization: token }, 'POST', hashes());
    expect(keysOf(own)).toEqual([200, [file().sha1]]);
    expect(keysOf(await one.post(path, hashes()))).toEqual([200, []]);
  });

  test.each<[string, (body: string) => Array<string | Buffer>]>([
    ['in parts', (body) => [body.slice(0, 5), body.slice(5)]],
    ['as no JSON', (body) => [body.slice(0, -1)]],
    ['with the wrong fields', () => ['{"hashes":7}']],
    ['with other letters', (body) => [body.replace('{', '{"ä":1,')]],
    ['not in UTF-8', () => [Buffer.from([123, 0xff, 125])]],
    ['without a length', (body) => [body, '']],
  ])('that is sent %s gets what the API answers', async (how, partsOf) => {
    const one = await site();
    for (let times = 0; times < 2; times++) await one.post(path, hashes());
    const parts = partsOf(JSON.stringify(hashes())).map((part) => Buffer.from(part));
    const whole = Buffer.concat(parts);
    const own = await api.call('POST', path, { body: whole, headers: json });
    const length = how === 'without a length' ? {} : { 'content-length': String(whole.length) };
    const { port } = one;
    const text = await new Promise<string>((done, fail) => {
      const asked = request({
        host: '127.0.0.1',
        port,
        path,
        method: 'POST',
        headers: { ...json, ...length },
      });
      asked.on('error', fail).on('response', async (got) => {
        let all = `${got.statusCode} `;
        for await (const chunk of got) all += chunk;
        done(all);
      });
      void (async () => {
        for (const part of parts) {
          asked.write(part);
          await new Promise((go) => setTimeout(go, 30));
        }
        asked.end();
      })();
    });
    expect(text).toBe(`${own.status} ${await own.text()}`);
  });

  test('by names is in their order, and knows who takes a name over', async () => {
    const other = await build.project(database.sql, { title: 'other' });
    const one = await site();
    const ask = async (...names: string[]) =>
      (
        (await one.ask(`/v3/projects?ids=${encodeURIComponent(JSON.stringify(names))}`)).json as Array<{
          id: string;
        }>
      ).map(({ id }) => id);
    for (let times = 0; times < 2; times++) {
      expect(await ask(other.slug, project.id, project.slug)).toEqual([other.id, project.id]);
      expect(await ask(project.slug.toUpperCase(), 'x y', other.id)).toEqual([project.id, other.id]);
    }
    const made = one.made.answers;
    const freed = project.slug;
    for (const [id, slug, key] of [
      [project.id, 'moved-away', token],
      [other.id, freed, await build.token(database.sql, other.owner)],
    ] as const) {
      const sent = await one.ask(`/v2/project/${id}`, { ...json, authorization: key }, 'PATCH', { slug });
      expect(sent.status).toBe(204);
      // the name of a project that was public stays with it until staff release it
      await database.sql`delete from kept_names where owner_id = ${project.id}`;
    }
    expect(await ask(freed)).toEqual([other.id]);
    expect(one.made.answers).toBe(made + 3);
  });
});

describe('hostile clients', () => {
  test('who ask many addresses once push out nothing that others ask for, and fill no more memory', async () => {
    const one = await site({ bytes: 60_000 });
    const path = `/v2/project/${project.id}`;
    for (let times = 0; times < 2; times++) await one.ask(path);
    const made = one.made.answers;
    for (let n = 0; n < 100; n++) await one.ask(`${path}/version?limit=${n + 1}`);
    expect(one.made.answers).toBe(made + 100);
    await one.ask(path);
    expect(one.made.answers).toBe(made + 100);
    expect(one.store.stats().bytes).toBeLessThanOrEqual(60_000);
    expect(one.store.stats().answers).toBeLessThan(100);
  });

  test('who ask for what does not exist push out nothing that others ask for, and fill no more memory', async () => {
    const one = await site({ bytes: 120_000 });
    const known = { hashes: [file().sha1] };
    for (let times = 0; times < 2; times++) await one.post('/v2/version_files', known);
    for (let n = 0; n < 20; n++) {
      await one.ask(`/v2/project/unknown-${n}`);
      await one.ask(`/v2/version_file/${String(n).padStart(40, '0')}`);
      const hashes = Array.from({ length: 50 }, (_, at) => String(n * 50 + at).padStart(40, '0'));
      expect((await one.post('/v2/version_files', { hashes })).json).toEqual({});
    }
    expect(one.store.stats()).toEqual({ answers: 0, bytes: 0 });
    expect(one.parts.stats().bytes).toBeLessThanOrEqual(120_000);
    expect(one.parts.stats().answers).toBeLessThan(100);
    const made = one.made.answers;
    expect((await one.post('/v2/version_files', known)).json).toHaveProperty(file().sha1);
    expect(one.made.answers).toBe(made);
  });
});
