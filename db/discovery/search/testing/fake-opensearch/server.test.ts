import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectMapping, projectSettings } from '../../opensearch/mapping.ts';
import { type FakeServer, fakeServer } from './server.ts';

/** The fake is useful only if it rejects what our code must not send. */
describe('the fake OpenSearch server', () => {
  let server: FakeServer;
  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${server.url}${path}`, {
      method,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: answer.status, text: await answer.text() };
  };
  const search = (query: unknown, more: object = {}) =>
    send('POST', '/mills/_search', {
      ...{ track_total_hits: true, _source: false, query, sort: [{ downloads: 'desc' }] },
      ...more,
    });

  beforeAll(async () => {
    server = await fakeServer();
    await send('PUT', '/mills', { settings: projectSettings(1), mappings: projectMapping });
  });
  afterAll(() => server.close());

  it('accepts valid requests', async () => {
    expect(await search({ bool: { filter: [{ term: { keys: 'name:mill' } }] } })).toMatchObject({
      status: 200,
    });
  });

  it.each<[string, unknown, object?]>([
    ['a clause', { match: { keys: 'mill' } }],
    ['a part of a clause', { bool: { shoud: [] } }],
    ['a field', { term: { title: 'mill' } }],
    ['a field that is not indexed', { term: { latest: 'v1' } }],
    ['a field of rows outside of nested', { term: { 'rows.keys': 'mill' } }],
    ['a field of projects inside of nested', { nested: { path: 'rows', query: { term: { keys: 'mill' } } } }],
    ['a path of nested', { nested: { path: 'versions', query: { match_all: {} } } }],
    ['a value of another type', { term: { downloads: 2.5 } }],
    ['half a surrogate pair', { term: { keys: '\ud83d' } }],
    ['a score it cannot know', { term: { keys: 'mill' } }, { sort: [{ _score: 'desc' }] }],
    ['a sort by a field without doc values', { match_all: {} }, { sort: [{ keys: 'asc' }] }],
    ['a part of the body', { match_all: {} }, { limit: 5 }],
    ['an aggregation', { match_all: {} }, { aggs: { all: { terms: { field: 'keys' } } } }],
    [
      'inner hits in an aggregation',
      { match_all: {} },
      { aggs: { all: { filter: { nested: { path: 'rows', query: { match_all: {} }, inner_hits: {} } } } } },
    ],
    ['a window that is too large', { match_all: {} }, { from: 200_000, size: 101 }],
  ])('rejects %s', async (_what, query, more) => {
    expect(await search(query, more)).toMatchObject({ status: 400 });
  });

  it.each<[string, string, string, unknown?]>([
    ['a path', 'GET', '/mills/_explain/1'],
    ['a parameter', 'GET', '/mills/_count?fast=1'],
    ['an index that is not there', 'GET', '/lamps/_count'],
    ['a mapping that is not strict', 'PUT', '/lamps', { settings: {}, mappings: { properties: {} } }],
    [
      'a type of field',
      'PUT',
      '/lamps',
      { settings: {}, mappings: { dynamic: 'strict', properties: { at: { type: 'moment' } } } },
    ],
    ['a bulk without its last line break', 'POST', '/_bulk', '{"delete":{"_index":"mills","_id":"1"}}'],
    [
      'waiting for a refresh that never comes',
      'POST',
      '/_bulk?refresh=wait_for',
      '{"delete":{"_index":"mills","_id":"1"}}\n',
    ],
  ])('rejects %s', async (_what, method, path, body) => {
    expect((await send(method, path, body)).status).toBeGreaterThanOrEqual(400);
  });

  it.each<[string, unknown]>([
    ['a field it has no mapping for', { colour: 'red' }],
    ['a number with a fraction', { downloads: 1.5 }],
    ['text where a number belongs', { downloads: 'many' }],
  ])('rejects a document with %s', async (_what, document) => {
    const lines = `{"index":{"_index":"mills","_id":"1"}}\n${JSON.stringify(document)}\n`;
    expect(JSON.parse((await send('POST', '/_bulk', lines)).text)).toMatchObject({ errors: true });
  });
});
