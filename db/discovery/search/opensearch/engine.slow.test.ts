import { randomBytes } from 'node:crypto';
import { Client } from '@opensearch-project/opensearch';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { DocumentVersion, FilterTree, Query, SearchDocument } from '../engine.ts';
import { emptyRow } from '../query/filter-keys.ts';
import { arbitraryDoc } from '../testing/contract/arbitrary.ts';
import { countContract } from '../testing/contract/counts.ts';
import { naiveSearch } from '../testing/contract/naive.ts';
import { textContract } from '../testing/contract/text.ts';
import { searchContract } from '../testing/contract.ts';
import { corpus, targetsOf } from '../testing/evaluation/corpus.ts';
import { demoDocuments, findsAsExpected } from '../testing/evaluation/examples.ts';
import { evaluate } from '../testing/evaluation.ts';
import { type FakeServer, fakeServer } from '../testing/fake-opensearch/server.ts';
import { type OpenSearchEngine, openSearchEngine } from './engine.ts';

async function* each<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values;
}

const everything: Query = { text: '', filter: null, sort: 'downloads', offset: 0, limit: 100 };
const [doc] = fc.sample(arbitraryDoc('AAAAAAA0'), { numRuns: 1, seed: 1 }) as [SearchDocument];
const docs = (count: number): SearchDocument[] =>
  Array.from({ length: count }, (_, i) => ({ ...doc, project_id: `P${String(i).padStart(7, '0')}` }));

describe('the OpenSearch engine with a strict fake server', () => {
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
  countContract(() => engine);

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

  it('has current counters in a project and its rows', async () => {
    const row: DocumentVersion = {
      ...emptyRow,
      loaders: ['forge'],
      game_versions: ['1.20'],
      version_id: 'v1',
    };
    await engine.rebuild(each([{ ...doc, categories: [], downloads: 1, follows: 1, rows: [row] }]));
    const counted = (key: string): FilterTree => ({
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

  it('pages as far as other engines', async () => {
    await engine.rebuild(each(docs(3)));
    for (const text of ['', doc.title])
      for (const offset of [2, 200, 199_999, 200_000, 200_001])
        expect(await engine.search({ ...everything, sort: 'relevance', text, offset })).toMatchObject({
          ids: offset === 2 ? ['P0000002'] : [],
          total: 3,
        });
  });

  it('refuses a filter with more clauses than the server accepts as too long', async () => {
    const filter: FilterTree = {
      and: Array.from({ length: 1_025 }, (_, i) => ({ key: 'name', op: '=', value: `${i}` })),
    };
    await expect(engine.search({ ...everything, filter })).rejects.toMatchObject({
      code: 'invalid_input',
      status: 400,
    });
  });

  it('accepts invalid text in a filter', async () => {
    const filter: FilterTree = { key: 'name', op: '=', value: 'half \ud83d' };
    expect(await engine.search({ ...everything, filter })).toMatchObject({ total: 0 });
  });

  it('rebuilds its index in batches while the old one answers, and leaves one index', async () => {
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

  it('reports its size after the first status request', async () => {
    await engine.rebuild(each(docs(3)));
    await vi.waitFor(() => expect(engine.status()).toMatchObject({ ready: true, documents: 3 }), {
      timeout: 10_000,
    });
    expect(engine.status().bytes).toBeGreaterThan(0);
    expect(engine.status().generation).toBeGreaterThan(0);
  });
});

describe('search quality of the OpenSearch engine', () => {
  let server: FakeServer;
  let engine: OpenSearchEngine;
  beforeAll(async () => {
    server = await fakeServer();
    engine = openSearchEngine({ url: server.url, timeout_ms: 30_000 });
  });
  afterAll(async () => {
    await engine.close();
    await server.close();
  });

  describe('in the demo catalogue', () => {
    beforeAll(() => engine.rebuild(each(demoDocuments())));
    findsAsExpected(() => engine);
  });

  it('finds the intended project first in four of five queries of a generated catalogue', async () => {
    const generated = corpus({ seed: 3, projects: 500 });
    await engine.rebuild(each(generated));
    for (const { kind, top1, top5 } of await evaluate(engine, targetsOf(generated), { each: 8 })) {
      expect.soft(top1, kind).toBeGreaterThanOrEqual(80);
      expect.soft(top5, kind).toBeGreaterThanOrEqual(80);
    }
  });
});

/** May be any server: its indices get a random name and are deleted afterwards. */
const address = process.env.SEARCH_URL;
if (address)
  describe('the OpenSearch engine with the server at SEARCH_URL', { timeout: 600_000 }, () => {
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
    countContract(() => engine, { runs: 5 });
  });
