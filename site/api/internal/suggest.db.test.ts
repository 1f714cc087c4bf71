import { beforeAll, describe, expect, it } from 'vitest';
import { indexConsumer } from '#db/discovery/search/documents/index-consumer.ts';
import { postgresEngine } from '#db/discovery/search/postgres/engine.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';
import type { Suggestions } from './suggest.ts';

const database = testDatabase();
const api = testApi(database);
const limitedApi = testApi(database, { RATE_LIMIT_PER_MINUTE: '2' });

const request = (q: string, calling = {}) =>
  api.call('GET', `/_internal/suggest?${new URLSearchParams({ q })}`, calling);
const answered = async (answer: Response): Promise<Suggestions> => {
  expect(answer.status).toBe(200);
  return (await answer.json()) as Suggestions;
};
const suggested = async (q: string) => (await answered(await request(q))).projects;
const places = async (query: Record<string, string>) =>
  (await answered(await api.call('GET', `/_internal/suggest?${new URLSearchParams(query)}`))).places;

let hidden: build.BuiltProject;

beforeAll(async () => {
  const { sql } = database;
  const owner = await build.user(sql, { username: 'Lamplighter' });
  const add = async (title: string, loaders: string[], downloads: number, categories: string[] = []) =>
    await build.version(sql, await build.project(sql, { owner, title, downloads, categories }), { loaders });
  await add('Fast Lanterns', ['fabric'], 500, ['optimization']);
  await add('Quick Torches', ['fabric'], 5, ['optimization']);
  await add('Lantern Shine', ['iris'], 40);
  await add('Lantern Rules', ['paper'], 30, ['optimization']);
  await add('Lantern Loot', ['datapack'], 20);
  await build.project(sql, { title: 'Lantern of nothing yet', downloads: 1 });
  for (let number = 1; number <= 10; number++)
    await build.project(sql, { title: `Moss ${number}`, downloads: number });
  hidden = await build.project(sql, { owner, title: 'Secret Lantern', status: 'private' });
  const reader = indexConsumer(sql, postgresEngine(sql));
  while ((await reader.step()) > 0);
});

describe('GET /_internal/suggest', () => {
  it('finds projects of every type by a prefix, each with the type of its page', async () => {
    const found = await suggested('lanter');
    expect(Object.fromEntries(found.map(({ title, project_type }) => [title, project_type]))).toEqual({
      'Fast Lanterns': 'mod',
      'Lantern Shine': 'shader',
      'Lantern Rules': 'plugin',
      'Lantern Loot': 'datapack',
      'Lantern of nothing yet': 'mod',
    });
    expect(found.find(({ title }) => title === 'Fast Lanterns')).toEqual({
      project_id: expect.stringMatching(/^\w{8}$/),
      slug: expect.any(String),
      title: 'Fast Lanterns',
      project_type: 'mod',
      icon_url: null,
      author: 'Lamplighter',
      color: null,
    });
  });

  it('gives at most eight', async () => {
    expect(await suggested('moss')).toHaveLength(8);
  });

  it.each(['', ' ', '\t\n', '\u3000'])('gives none for blank text %j', async (q) => {
    expect(await suggested(q)).toEqual([]);
  });

  it('gives none without a query', async () => {
    const answer = await api.call('GET', '/_internal/suggest');
    expect(await answered(answer)).toEqual({ places: [], projects: [] });
  });

  it('gives none when nothing matches', async () => {
    expect(await suggested('qqqqqqzzzzzz')).toEqual([]);
    expect(await suggested('constructor __proto__')).toEqual([]);
  });

  it('accepts 2,000 characters and refuses more', async () => {
    expect((await request('a '.repeat(1_000))).status).toBe(200);
    const refused = await request('a'.repeat(2_001));
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ details: { code: 'invalid_input' } });
  });

  it('never shows hidden projects, and is not cached', async () => {
    const moderator = await build.user(database.sql, { role: 'moderator' });
    const answers = await Promise.all(
      [hidden.owner, moderator].map(async (person) =>
        request('secret lantern', { token: await build.token(database.sql, person) }),
      ),
    );
    for (const answer of [await request('secret lantern'), ...answers]) {
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      const found = (await answer.json()) as Suggestions;
      expect(found.projects.map(({ project_id }) => project_id)).not.toContain(hidden.id);
    }
  });

  it('answers everybody alike: anonymous, signed in, with a token without scopes or an unknown token', async () => {
    const person = await build.user(database.sql);
    const tokens = [
      await build.token(database.sql, person),
      await build.token(database.sql, person, []),
      'mrp_nobody-knows-it',
    ];
    const expected = await answered(await request('lanter'));
    for (const token of tokens) expect(await answered(await request('lanter', { token }))).toEqual(expected);
  });

  it('names types and categories in the language of the page, with their number of projects', async () => {
    const shaders = { path: '/shaders', name: 'Shaders', type_name: null, count: '1' };
    expect(await places({ q: 'shader' })).toEqual([shaders]);
    expect(await places({ q: 'مظل', hl: 'ar-SA' })).toEqual([{ ...shaders, name: 'مظللات' }]);
    const optimization = {
      path: '/mods?f=optimization',
      name: 'Optimization',
      type_name: 'Mods',
      count: '2',
    };
    const plugins = { ...optimization, path: '/plugins?f=optimization', type_name: 'Plugins', count: '1' };
    expect(await places({ q: 'optimization' })).toEqual([optimization, plugins]);
    expect(await places({ q: 'optimization', in: 'plugin' })).toEqual([plugins, optimization]);
    expect(await places({ q: 'optim', in: 'plugin' })).toEqual([plugins]);
    expect(await places({ q: 'optim', in: 'nonsense', hl: 'nonsense' })).toEqual([optimization]);
  });

  it('suggests the list whose filters the words name, where something is in it', async () => {
    const list = { type_name: 'Mods', count: '1' };
    const path = '/mods?q=lanterns&g=fabric&v=1.20.1';
    expect((await places({ q: 'lanterns fabric 1.20.1' }))[0]).toEqual({
      ...{ ...list, path },
      name: 'lanterns · 1.20.1 · Fabric',
    });
    expect((await places({ q: 'lantern 1.20.1', in: 'shader' }))[0]?.path).toBe(
      '/shaders?q=lantern&v=1.20.1',
    );
    expect(await places({ q: 'nothing 1.20.1' })).toEqual([]);
  });

  it('suggests no type or category without projects', async () => {
    expect(await places({ q: 'modpack' })).toEqual([]);
    expect(await places({ q: 'economy' })).toEqual([]);
  });

  it('passes on that search is busy', async () => {
    const refused = await database.sql.begin(async (tx) => {
      await tx`lock table search_documents`;
      return await request('lantern');
    });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  });

  it('counts against the rate limit of the API', async () => {
    const statuses = [];
    for (let time = 0; time < 3; time++)
      statuses.push((await limitedApi.call('GET', '/_internal/suggest?q=lantern')).status);
    expect(statuses).toEqual([200, 200, 429]);
  });
});
