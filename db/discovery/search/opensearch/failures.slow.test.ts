import { Client } from '@opensearch-project/opensearch';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { parseSettings } from '../../../platform/runtime/env.ts';
import type { Query, SearchDocument } from '../engine.ts';
import { arbitraryDoc } from '../testing/contract/arbitrary.ts';
import { type FakeServer, fakeServer } from '../testing/fake-opensearch/server.ts';
import { type OpenSearchEngine, openSearchEngine } from './engine.ts';

async function* each<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values;
}

const everything: Query = { text: '', filter: null, sort: 'downloads', offset: 0, limit: 100 };
const [doc] = fc.sample(arbitraryDoc('AAAAAAA0'), { numRuns: 1, seed: 1 }) as [SearchDocument];

describe('without an index', () => {
  let server: FakeServer;
  let engine: OpenSearchEngine;
  beforeEach(async () => {
    server = await fakeServer();
    engine = openSearchEngine({ url: server.url });
    return async () => {
      await engine.close();
      await server.close();
    };
  });

  it('refuses as busy, does not create one by writing, and asks for a rebuild', async () => {
    expect(await engine.current()).toBe(false);
    await expect(engine.search(everything)).rejects.toMatchObject({ code: 'busy' });
    await expect(
      engine.hits({ ids: ['AAAAAAA0'], versionIds: [null] }, 2, parseSettings({})),
    ).rejects.toMatchObject({
      code: 'busy',
    });
    await expect(engine.apply([{ put: doc }])).rejects.toThrow('index_not_found_exception');
    expect(server.indices()).toEqual([]);
    await engine.rebuild(each([doc]));
    expect(await engine.current()).toBe(true);
  });

  it('asks for a rebuild when other code created the index, and removes the rest of an unfinished one', async () => {
    await engine.rebuild(each([]));
    const client = new Client({ node: server.url });
    const mappings = { dynamic: 'strict' as const, _meta: { format: 'another' }, properties: {} };
    for (const index of [
      'cairn-projects-vaaaaaaaa',
      'cairn-projects-vault',
      'cairn-projects-vault-vbbbbbbbb',
    ])
      await client.indices.create({ index, body: { settings: {}, mappings } });
    const action = { index: 'cairn-projects-vaaaaaaaa', alias: 'cairn-projects' };
    await client.indices.updateAliases({ body: { actions: [{ add: action }] } });
    expect(await engine.current()).toBe(false);
    await engine.rebuild(each([]));
    expect(await engine.current()).toBe(true);
    expect(server.indices()).toHaveLength(4);
    expect(server.indices()).toEqual(
      expect.arrayContaining(['cairn-projects-vault', 'cairn-projects-vault-vbbbbbbbb']),
    );
    await client.close();
  });
});

describe('a failing server', () => {
  let server: FakeServer;
  let engine: OpenSearchEngine;
  beforeEach(async () => {
    server = await fakeServer({ credentials: 'ada:lovelace' });
    engine = openSearchEngine({ url: server.url, timeout_ms: 1_000 });
    await engine.rebuild(each([doc]));
    return async () => {
      await engine.close();
      await server.close();
    };
  });

  it.each([429, 500, 503, 'silence' as const])(
    'makes searches busy while it answers %s, and no longer',
    async (answer) => {
      server.answerWith(answer);
      await expect(engine.search(everything)).rejects.toMatchObject({ code: 'busy', status: 503 });
      await expect(
        engine.hits({ ids: ['AAAAAAA0'], versionIds: [null] }, 3, parseSettings({})),
      ).rejects.toMatchObject({
        code: 'busy',
      });
      server.answerWith(null);
      expect((await engine.search(everything)).total).toBe(1);
    },
  );

  it('makes searches busy when nothing listens, and is not ready', async () => {
    await vi.waitFor(() => expect(engine.status().ready).toBe(true), { timeout: 10_000 });
    await server.close();
    await expect(engine.search(everything)).rejects.toMatchObject({ code: 'busy' });
    await vi.waitFor(() => expect(engine.status().ready).toBe(false), { timeout: 10_000 });
  });

  it('retries writes when the server was overloaded', async () => {
    server.answerWith(429);
    const before = server.requests.length;
    const applied = engine.apply([{ remove: 'AAAAAAA0' }]);
    await vi.waitFor(() => expect(server.requests.length).toBeGreaterThan(before), { timeout: 10_000 });
    server.answerWith(null);
    await applied;
    expect((await engine.search(everything)).total).toBe(0);
  });

  it('reports failed writes in one line without password and content', async () => {
    server.answerWith(500);
    const error = (await engine.apply([{ put: doc }]).catch((reason: unknown) => reason)) as Error;
    expect(error.message).toBe(
      'The search server did not do what was asked (500): rejected_execution_exception: busy',
    );
    expect(JSON.stringify({ ...error, stack: error.stack, cause: error.cause })).not.toMatch(
      /lovelace|terms/,
    );
  });

  it('reports a wrong password without naming it', async () => {
    const stranger = openSearchEngine({ url: server.url.replace('lovelace', 'guess') });
    const error = (await stranger.search(everything).catch((reason: unknown) => reason)) as Error;
    expect(error.message).toContain('401');
    expect(JSON.stringify({ ...error, stack: error.stack })).not.toContain('guess');
    await stranger.close();
  });
});
