import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { indexConsumers } from '#db/discovery/search/consumers.ts';
import { createEngine } from '#db/discovery/search/create-engine.ts';
import { indexConsumer } from '#db/discovery/search/documents/index-consumer.ts';
import { postgresEngine } from '#db/discovery/search/postgres/engine.ts';
import { type FakeServer, fakeServer } from '#db/discovery/search/testing/fake-opensearch/server.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';

const database = testDatabase();
const api = testApi(database);
let server: FakeServer;
let elsewhere: ReturnType<typeof createEngine>;

/** The answers of the embedded index and of the search server. */
const both = async (path: string) => {
  const { services } = api;
  const inDatabase = services.search;
  const here = await api.call('GET', path);
  services.search = elsewhere;
  const there = await api.call('GET', path).finally(() => {
    services.search = inDatabase;
  });
  return { here, there };
};

beforeAll(async () => {
  const { sql } = database;
  const fabric = await build.project(sql, { title: 'Fast Lanterns', downloads: 500 });
  await build.version(sql, fabric, { loaders: ['fabric'], game_versions: ['1.20.1'] });
  await build.version(sql, fabric, { loaders: ['forge'], game_versions: ['1.19.2'] });
  const forge = await build.project(sql, { title: 'Lantern Posts', downloads: 50 });
  await build.version(sql, forge, { loaders: ['forge'], game_versions: ['1.20.1'] });
  server = await fakeServer();
  const { services } = api;
  const settings = { ...services.settings, SEARCH_ENGINE: 'opensearch' as const, SEARCH_URL: server.url };
  for (const reader of indexConsumers({ settings, sql, searchIndex: postgresEngine(sql) }))
    await reader.step();
  expect(await indexConsumer(sql, postgresEngine(sql)).step()).toBe(0);
  elsewhere = createEngine({ ...services, settings });
});
afterAll(async () => {
  await elsewhere.close();
  await server.close();
});

describe('search with a search server', () => {
  it.each([
    ['/v2/search', 2],
    ['/v2/search?query=lantern', 2],
    ['/v2/search?query=latnern&index=newest', 1],
    ['/v2/search?facets=[["categories:forge"],["versions:1.20.1"]]', 1],
    ['/v2/search?facets=[["categories:fabric"],["versions:1.19.2"]]', 0],
    ['/v2/search?offset=1&limit=1', 2],
    ['/v2/search?facets=[["downloads>100","categories:forge"]]', 2],
    ['/v3/search?query=fast', 1],
  ])('%s gives the same answer as the embedded index', async (path, total_hits) => {
    const { here, there } = await both(path);
    const answer = await there.json();
    expect(answer).toMatchObject({ total_hits });
    expect(answer).toEqual(await here.json());
  });

  it('refuses as busy, with Retry-After, while the search server is down', async () => {
    server.answerWith(503);
    const { here, there } = await both('/v2/search');
    server.answerWith(null);
    expect(here.status).toBe(200);
    expect(there.status).toBe(503);
    expect(there.headers.get('retry-after')).toBe('1');
    expect(await there.json()).toMatchObject({ error: 'busy' });
  });
});
