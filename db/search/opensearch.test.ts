import { randomBytes } from 'node:crypto';
import { Client } from '@opensearch-project/opensearch';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { arbitraryDoc } from './contract/arbitrary.ts';
import { naiveSearch } from './contract/naive.ts';
import { textContract } from './contract/text.ts';
import { searchContract } from './contract.ts';
import type { Doc, Query, Row, Tree } from './engine.ts';
import { emptyRow } from './keys.ts';
import { type FakeServer, fakeServer } from './opensearch/fake-server.ts';
import { type OpenSearchEngine, openSearchEngine } from './opensearch.ts';

async function* each<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values;
}

const everything: Query = { text: '', filter: null, sort: 'downloads', offset: 0, limit: 100 };
const [doc] = fc.sample(arbitraryDoc('AAAAAAA0'), { numRuns: 1, seed: 1 }) as [Doc];
const docs = (count: number): Doc[] =>
  Array.from({ length: count }, (_, i) => ({ ...doc, project_id: `P${String(i).padStart(7, '0')}` }));

describe('the OpenSearch engine, at a stand-in that takes nothing it does not know', () => {
  let server: FakeServer;
  let engine: OpenSearchEngine;
  beforeAll(async () => {
    server = await fakeServer();
    engine = openSearchEngine({ url: server.url });
  });
  afterAll(async () => {
    await engine.close();
    await server.close();
  });

  searchContract(() => engine);
  textContract(() => engine);

  it('compares numbers of any size and with fractions', async () => {
    const some = docs(4).map((one, i) => ({ ...one, downloads: i }));
    await engine.rebuild(each(some));
    for (const op of ['=', '!=', '>', '>=', '<', '<='] as const)
      for (const value of [2, 1.5, -0.5, 1e300, -1e300, Number.POSITIVE_INFINITY]) {
        const query: Query = { ...everything, filter: { key: 'downloads', op, value } };
        const { ids, total } = naiveSearch(some, query);
        expect(await engine.search(query), `${op} ${value}`).toMatchObject({ ids, total });
      }
  });

  it('knows the counters of today beside the rows of a project', async () => {
    const row: Row = { ...emptyRow, loaders: ['forge'], game_versions: ['1.20'], version_id: 'v1' };
    await engine.rebuild(each([{ ...doc, categories: [], downloads: 1, follows: 1, rows: [row] }]));
    const counted = (key: string): Tree => ({
      and: [
        {
          or: [
            { key: 'categories', op: '=', value: 'fabric' },
            { key, op: '>', value: 2 },
          ],
        },
        { key: 'game_versions', op: '=', value: '1.20' },
      ],
    });
    const totals = async () =>
      await Promise.all(
        ['downloads', 'follows'].map(
          async (key) => (await engine.search({ ...everything, filter: counted(key) })).total,
        ),
      );
    expect(await totals()).toEqual([0, 0]);
    await engine.apply([{ touch: doc.project_id, follows: 3 }]);
    expect(await totals()).toEqual([0, 1]);
    await engine.apply([{ put: { ...doc, categories: [], downloads: 3, follows: 3, rows: [row] } }]);
    expect(await totals()).toEqual([1, 1]);
  });

  it('reaches as far back as other engines', async () => {
    await engine.rebuild(each(docs(3)));
    for (const text of ['', doc.title])
      for (const offset of [2, 200, 199_999, 200_000, 200_001])
        expect(await engine.search({ ...everything, sort: 'relevance', text, offset })).toMatchObject({
          ids: offset === 2 ? ['P0000002'] : [],
          total: 3,
        });
  });

  it('says of a filter with more conditions than the server takes that it is too long', async () => {
    const filter: Tree = {
      and: Array.from({ length: 1_025 }, (_, i) => ({ key: 'name', op: '=', value: `${i}` })),
    };
    await expect(engine.search({ ...everything, filter })).rejects.toMatchObject({
      code: 'invalid_input',
      status: 400,
    });
  });

  it('takes text that is none as a filter', async () => {
    const filter: Tree = { key: 'name', op: '=', value: 'half \ud83d' };
    expect(await engine.search({ ...everything, filter })).toMatchObject({ total: 0 });
  });

  it('makes its index anew in pieces, while the old one answers, and leaves one', async () => {
    await engine.rebuild(each(docs(2)));
    const meanwhile: number[] = [];
    const slowly = async function* () {
      for (const one of docs(600)) {
        if (Number(one.project_id.slice(1)) % 200 === 199)
          meanwhile.push((await engine.search(everything)).total);
        yield one;
      }
    };
    await engine.rebuild(slowly());
    expect(meanwhile).toEqual([2, 2, 2]);
    expect((await engine.search(everything)).total).toBe(600);
    expect(server.indices()).toEqual(['cairn-projects-state', expect.stringMatching(/^cairn-projects-v/)]);
  });

  it('keeps the old index when a rebuild fails', async () => {
    await engine.rebuild(each(docs(2)));
    const broken = async function* () {
      yield* docs(300);
      throw new Error('the catalogue went away');
    };
    await expect(engine.rebuild(broken())).rejects.toThrow('the catalogue went away');
    expect((await engine.search(everything)).total).toBe(2);
    expect(server.indices()).toHaveLength(2);
  });

  it('says of itself how much it holds once it was asked', async () => {
    await engine.rebuild(each(docs(3)));
    await vi.waitFor(() => expect(engine.status()).toMatchObject({ ready: true, documents: 3 }), {
      timeout: 10_000,
    });
    expect(engine.status().bytes).toBeGreaterThan(0);
    expect(engine.status().generation).toBeGreaterThan(0);
  });
});

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

  it('answers busy, makes none by writing, and asks for a rebuild', async () => {
    expect(await engine.current()).toBe(false);
    await expect(engine.search(everything)).rejects.toMatchObject({ code: 'busy' });
    await expect(engine.hits({ ids: ['AAAAAAA0'], versionIds: [null] }, 2)).rejects.toMatchObject({
      code: 'busy',
    });
    await expect(engine.apply([{ put: doc }])).rejects.toThrow('index_not_found_exception');
    expect(server.indices()).toEqual([]);
    await engine.rebuild(each([doc]));
    expect(await engine.current()).toBe(true);
  });

  it('asks for a rebuild when other code made the index, and takes what an unfinished one left along', async () => {
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

describe('a server in trouble', () => {
  let server: FakeServer;
  let engine: OpenSearchEngine;
  beforeEach(async () => {
    server = await fakeServer({ credentials: 'ada:lovelace' });
    engine = openSearchEngine({ url: server.url, timeout_ms: 1_000 });
    await engine.rebuild(each(docs(1)));
    return async () => {
      await engine.close();
      await server.close();
    };
  });

  it.each([429, 500, 503, 'silence' as const])(
    'makes searches busy while it answers %s, not longer',
    async (answer) => {
      server.answerWith(answer);
      await expect(engine.search(everything)).rejects.toMatchObject({ code: 'busy', status: 503 });
      await expect(engine.hits({ ids: ['P0000000'], versionIds: [null] }, 3)).rejects.toMatchObject({
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

  it('is asked again to write when it had too much to do', async () => {
    server.answerWith(429);
    const before = server.asked.length;
    const applied = engine.apply([{ remove: 'P0000000' }]);
    await vi.waitFor(() => expect(server.asked.length).toBeGreaterThan(before), { timeout: 10_000 });
    server.answerWith(null);
    await applied;
    expect((await engine.search(everything)).total).toBe(0);
  });

  it('fails writes with one line that names neither password nor what was sent', async () => {
    server.answerWith(500);
    const error = (await engine.apply([{ put: doc }]).catch((reason: unknown) => reason)) as Error;
    expect(error.message).toBe(
      'The search server did not do what was asked (500): rejected_execution_exception: busy',
    );
    expect(JSON.stringify({ ...error, stack: error.stack, cause: error.cause })).not.toMatch(
      /lovelace|terms/,
    );
  });

  it('lets nobody in without the password, and says so without naming it', async () => {
    const stranger = openSearchEngine({ url: server.url.replace('lovelace', 'guess') });
    const error = (await stranger.search(everything).catch((reason: unknown) => reason)) as Error;
    expect(error.message).toContain('401');
    expect(JSON.stringify({ ...error, stack: error.stack })).not.toContain('guess');
    await stranger.close();
  });
});

/** A server of one's own, to be sure: its indices get a name of their own and go afterwards. */
const address = process.env.SEARCH_URL;
if (address)
  describe('the OpenSearch engine, at the server SEARCH_URL names', { timeout: 600_000 }, () => {
    const name = `cairn-test-${randomBytes(6).toString('hex')}`;
    const engine = openSearchEngine({ url: address, name, timeout_ms: 30_000 });
    afterAll(async () => {
      const client = new Client({ node: address });
      const { body } = await client.indices.getAlias({ index: `${name}-*` });
      for (const index of Object.keys(body)) await client.indices.delete({ index });
      await client.close();
      await engine.close();
    });

    searchContract(() => engine, { runs: 5 });
    textContract(() => engine);
  });
