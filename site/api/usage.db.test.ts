import { beforeEach, describe, expect, it } from 'vitest';
import { openSession } from '#db/platform/people/session.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../testing/api.ts';

const database = testDatabase();
const api = testApi(database, {
  SITE_URL: 'https://cairn.example',
  ANALYTICS_ORIGINS: 'https://shop.example, https://app.example',
});
const rows = async () => {
  await api.services.usage.flush();
  return await database.sql`
    select kind, project_id, version_id, amount, loader, game_version, dependent_id, country, domain, site_path, monetized,
      to_jsonb(u)::text as whole from analytics_records u order by at, site_path desc`;
};
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';
const origin = 'https://cairn.example';
let network = 0;
let address: string;
let project: build.BuiltProject;
let user: build.BuiltUser;
let session: string;
beforeEach(async () => {
  const { sql } = database;
  await api.services.usage.flush();
  await sql`truncate analytics_records`;
  address = `198.51.100.${++network}`;
  project = await build.project(sql);
  user = await build.user(sql);
  session = (await openSession(sql, { user_id: user.id, user_agent: null, now: new Date() })).session!;
});

describe('POST /analytics/view', () => {
  const view = async (
    url: unknown,
    more: { token?: string; address?: string; headers?: Record<string, string> } = {},
  ) =>
    await api.call('POST', '/analytics/view', {
      ...{ json: { url }, address, ...more },
      headers: { 'user-agent': browser, ...more.headers },
    });

  it('ties the page of a project to it, without address, user or query', async () => {
    const answer = await view(`${origin}/mod/${project.slug}/versions?secret=1#x`);
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    await view(`https://shop.example/plugin/${project.id}`, { token: session });
    await view(`${origin}/mods?g=fabric`, { token: 'mrp_broken' });
    await view(`${origin}/mod/unknown-one`);
    const found = await rows();
    const about = { kind: 'view', project_id: project.id, version_id: '', amount: 1, country: 'XX' };
    expect(found).toMatchObject([
      { ...about, domain: 'cairn.example', site_path: '/project/versions', monetized: true },
      { ...about, domain: 'shop.example', site_path: '/project', monetized: true },
      { ...about, project_id: '', site_path: '/mods', monetized: false },
      { ...about, project_id: '', site_path: '/project', monetized: false },
    ]);
    expect(found.map(({ whole }) => whole).join()).not.toMatch(/198\.51|secret|fabric/);
  });

  it('earns money three times for a network and project', async () => {
    const url = `${origin}/mod/${project.slug}`;
    for (let i = 0; i < 5; i++) await view(url);
    await view(url, { address: '203.0.113.77' });
    const monetized = (await rows()).map((row) => row.monetized);
    expect(monetized.filter(Boolean)).toHaveLength(4);
    expect(monetized).toHaveLength(6);
    const [window] =
      await database.sql`select address from download_windows where project_id = ${project.id}`;
    expect(window!.address).not.toContain('198');
  });

  it.each([
    'https://evil.example/mod/x',
    'http://cairn.example/mod/x',
    'https://cairn.example@evil.example/',
    '/mod/x',
    '',
    7,
    null,
    'https://cairn.example/\0',
    `https://cairn.example/${'x'.repeat(2100)}`,
  ])('refuses %j', async (url) => {
    expect((await view(url)).status).toBe(400);
    expect(await rows()).toEqual([]);
  });

  it('is limited for each network', async () => {
    const other = '203.0.113.200';
    const [clock, at] = [api.services.now, new Date()];
    api.services.now = () => at; // a slow machine would give the network time to recover
    const statuses = [];
    for (let i = 0; i < 125; i++) statuses.push((await view(`${origin}/mods`, { address: other })).status);
    api.services.now = clock;
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
    expect((await view(`${origin}/mods`)).status).toBe(204);
  });
});

describe('POST /analytics/playtime', () => {
  const report = async (json: unknown, token: string | undefined = session) =>
    (await api.call('POST', '/analytics/playtime', { json, address, ...(token ? { token } : {}) })).status;
  const entry = { seconds: 60, loader: 'fabric', game_version: '1.21-played' };

  it('appends known versions with 1 to 300 seconds', async () => {
    const { sql } = database;
    await sql`insert into game_versions ${sql({ version: '1.21-played', version_type: 'release', date: new Date() })} on conflict do nothing`;
    const [one, two, three, four] = await Promise.all([1, 2, 3, 4].map(() => build.version(sql, project)));
    const json = {
      [one!.id]: { ...entry, parent: two!.id },
      [two!.id]: { ...entry, loader: 'toaster', game_version: '0', parent: 'Nobody11' },
      [three!.id]: { ...entry, seconds: 301 },
      [four!.id]: { ...entry, seconds: 0 },
      Nobody22: entry,
    };
    expect(await report(json)).toBe(204);
    const about = { kind: 'playtime', project_id: project.id, amount: 60 };
    expect(await rows()).toMatchObject([
      {
        ...about,
        version_id: one!.id,
        loader: 'fabric',
        game_version: '1.21-played',
        dependent_id: project.id,
      },
      { ...about, version_id: two!.id, loader: '', game_version: '', dependent_id: '' },
    ]);
    expect(await report({})).toBe(204);
  });

  it('is for sessions', async () => {
    expect((await api.call('POST', '/analytics/playtime', { json: {}, address })).status).toBe(401);
    expect(await report({}, await build.token(database.sql, user))).toBe(401);
  });

  it('is limited for each network by its entries: 12,000 a minute', async () => {
    const full = Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`A${i}`, entry]));
    const statuses = []; // by the real clock, with which processes share their counts

    for (let i = 0; i < 7; i++) {
      const sent = { json: full, token: session, address: '203.0.113.201' };
      statuses.push((await api.call('POST', '/analytics/playtime', sent)).status);
    }
    expect(statuses).toEqual([...Array(6).fill(204), 429]);
  });

  it('refuses wrong entries, and more than 2000', async () => {
    const many = Object.fromEntries(Array.from({ length: 2001 }, (_, i) => [`A${i}`, entry]));
    for (const json of [
      many,
      [],
      { AABBCCDD: { ...entry, seconds: -1 } },
      { AABBCCDD: { ...entry, seconds: 65_536 } },
      { AABBCCDD: { ...entry, loader: 'a\0' } },
      { AABBCCDD: { seconds: 3 } },
      { 'no id': entry },
    ])
      expect(await report(json)).toBe(400);
    expect(await rows()).toEqual([]);
  });
});

describe('POST /analytics/minecraft-server-play', () => {
  const play = async (json: unknown, from = address) =>
    (await api.call('POST', '/analytics/minecraft-server-play', { json, address: from })).status;

  it('accepts what the reference documents and counts nothing of it', async () => {
    const json = {
      project_id: project.id,
      username: 'Fen_7',
      server_id: '-7c9d5b0044c130109a5d7b5fb5c317c0',
    };
    expect(await play(json)).toBe(204);
    expect(await play({ ...json, project_id: 'Nobody11' })).toBe(204);
    expect(await rows()).toEqual([]);
    for (const wrong of [
      {},
      [],
      { ...json, project_id: '../x' },
      { ...json, username: '' },
      { ...json, server_id: 7 },
    ])
      expect(await play(wrong)).toBe(400);
    expect(await play({ ...json, username: 'x'.repeat(65) })).toBe(400);
  });

  it('is limited for each network', async () => {
    const [clock, at] = [api.services.now, new Date()];
    api.services.now = () => at;
    const json = { project_id: project.id, username: 'Fen', server_id: '1' };
    const statuses = [];
    for (let i = 0; i < 125; i++) statuses.push(await play(json, '203.0.113.202'));
    api.services.now = clock;
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
  });
});

it('GET /analytics/view is unknown', async () => {
  const answer = await api.call('GET', '/analytics/view');
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ error: 'not_found' });
});

it.each(['GET', 'POST'])('%s /v2/user/{id}/payouts is an unknown route', async (method) => {
  const answer = await api.call(method, `/v2/user/${user.id}/payouts`, { token: session });
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ error: 'not_found' });
});
