import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cursorOf, deleteCursor } from '../../platform/events/read.ts';
import { recordEvent } from '../../platform/events/write.ts';
import { parseSettings } from '../../platform/runtime/env.ts';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { type IndexConsumer, indexConsumers, serverCursor } from './consumers.ts';
import type { Query, SearchEngine } from './engine.ts';
import { type OpenSearchEngine, openSearchEngine } from './opensearch/engine.ts';
import { postgresEngine } from './postgres/engine.ts';
import { syncIndex } from './testing/contract/caught-up.ts';
import { type FakeServer, fakeServer } from './testing/fake-opensearch/server.ts';

const database = testDatabase();
const mills: Query = { text: 'windmill', filter: null, sort: 'relevance', offset: 0, limit: 10 };

describe('an installation with a search server', () => {
  let server: FakeServer;
  let elsewhere: OpenSearchEngine;
  let here: SearchEngine;
  let readers: IndexConsumer[];
  let start: () => IndexConsumer[];
  const bothFind = async () =>
    await Promise.all([here, elsewhere].map(async (engine) => (await engine.search(mills)).ids));
  const follow = async () => {
    for (const reader of readers) await syncIndex(database.sql, reader);
  };

  beforeAll(async () => {
    server = await fakeServer();
    elsewhere = openSearchEngine({ url: server.url });
    const searchIndex = postgresEngine(database.sql);
    here = searchIndex;
    const settings = parseSettings({ SEARCH_ENGINE: 'opensearch', SEARCH_URL: server.url });
    start = () => indexConsumers({ settings, sql: database.sql, searchIndex });
    readers = start();
  });
  afterAll(async () => {
    await elsewhere.close();
    await server.close();
  });

  it('keeps both indices up to date, each with its own cursor', async () => {
    const { sql } = database;
    const first = await build.project(sql, { title: 'Windmill' });
    await follow();
    expect(await bothFind()).toEqual([[first.id], [first.id]]);
    await sql`delete from projects where id = ${first.id}`;
    await recordEvent(sql, { name: 'project.deleted', project_id: first.id });
    await follow();
    expect(await bothFind()).toEqual([[], []]);
    expect(await cursorOf(sql, serverCursor)).toEqual(await cursorOf(sql, 'search'));
  });

  it('continues in the database while the server is down, and catches up later', async () => {
    const { sql } = database;
    const [database_, server_] = readers as [IndexConsumer, IndexConsumer];
    const project = await build.project(sql, { title: 'Windmill' });
    await recordEvent(sql, { name: 'project.created', project_id: project.id, data: { status: 'approved' } });
    server.answerWith(503);
    await syncIndex(sql, database_);
    await expect(server_.step()).rejects.toThrow('503');
    expect((await here.search(mills)).ids).toEqual([project.id]);
    server.answerWith(null);
    await syncIndex(sql, server_);
    expect(await bothFind()).toEqual([[project.id], [project.id]]);
  });

  it('rebuilds the index when a server that was given up before is chosen again', async () => {
    const { sql } = database;
    await deleteCursor(sql, serverCursor);
    readers = start();
    const project = await build.project(sql, { title: 'Windmill Two' });
    await follow();
    expect((await elsewhere.search(mills)).ids).toContain(project.id);
  });
});

it('maintains only the database index without a search server', () => {
  const { sql } = database;
  const settings = parseSettings({ SEARCH_URL: 'http://127.0.0.1:9' });
  const readers = indexConsumers({ settings, sql, searchIndex: postgresEngine(sql) });
  expect(readers.map(({ name }) => name)).toEqual(['search']);
});
