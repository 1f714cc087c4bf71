import { Registry } from 'prom-client';
import { beforeEach, describe, expect, it } from 'vitest';
import { Refused } from '../../platform/errors.ts';
import { parseSettings } from '../../platform/runtime/env.ts';
import type { Query, SearchEngine, SearchResult } from './engine.ts';
import { kindOf, withMetrics } from './metrics.ts';

const found: SearchResult = { ids: [], versionIds: [], total: 0, generation: 1, partial: false };
const query: Query = { text: '', filter: null, sort: 'relevance', offset: 0, limit: 10 };
let answer: () => Promise<SearchResult>;
let registry: Registry;
let engine: SearchEngine;

beforeEach(() => {
  registry = new Registry();
  answer = async () => found;
  engine = withMetrics(
    {
      name: 'postgres',
      search: () => answer(),
      count: async ({ groups }) => ({
        counts: groups.map(({ options }) => options.map(() => 2)),
        generation: 1,
        partial: true,
      }),
      hits: async () => [{ title: 'Lantern' }],
      status: () => ({ engine: 'postgres', ready: true, documents: 7, generation: 3, bytes: 900 }),
    },
    registry,
  );
});

const value = async (line: string): Promise<number | undefined> => {
  const text = await registry.metrics();
  const reported = text.split('\n').find((one) => one.startsWith(`${line} `));
  return reported === undefined ? undefined : Number(reported.slice(line.length + 1));
};

describe('search metrics', () => {
  it.each([
    ['', 'browse'],
    [' \u3000\t', 'browse'],
    ['lan', 'letters'],
    [' 石 ', 'letters'],
    ['𝔾𝔾𝔾', 'letters'],
    ['lant', 'word'],
    ['𝔾𝔾𝔾𝔾', 'word'],
    ['lantern root', 'words'],
    ['a\u00a0b', 'words'],
    ['x'.repeat(2_000), 'word'],
  ])('classify %j as %s', (text, kind) => {
    expect(kindOf({ text })).toBe(kind);
  });

  it('pass results through and count them by kind and filter', async () => {
    expect(await engine.search({ ...query, text: 'lantern' })).toBe(found);
    await engine.search({ ...query, text: 'lantern', filter: { key: 'license', op: '=', value: 'MIT' } });
    await engine.search({ ...query, text: 'moss', only: new Set(['AAAAAAAA']) });
    expect(await value('search_seconds_count{kind="word",filtered="false"}')).toBe(1);
    expect(await value('search_seconds_count{kind="word",filtered="true"}')).toBe(2);
    expect(await engine.hits({ ids: ['AAAAAAAA'], versionIds: [null] }, 2, parseSettings({}))).toEqual([
      { title: 'Lantern' },
    ]);
  });

  it('measure counts of options apart from searches', async () => {
    const option = { key: 'license', op: '=', value: 'MIT' } as const;
    const asked = { text: 'lantern', groups: [{ filter: null, options: [option] }] };
    expect((await engine.count(asked)).counts).toEqual([[2]]);
    expect(await value('search_count_seconds_count{kind="word"}')).toBe(1);
    expect(await value('search_partial{kind="word"}')).toBe(1);
    expect(await value('search_seconds_count{kind="word",filtered="false"}')).toBeUndefined();
  });

  it('count truncated results', async () => {
    answer = async () => ({ ...found, partial: true });
    await engine.search({ ...query, text: 's' });
    expect(await value('search_partial{kind="letters"}')).toBe(1);
    expect(await value('search_partial{kind="word"}')).toBeUndefined();
  });

  it('count refusals but no other failures, and measure the time of neither', async () => {
    answer = () => Promise.reject(new Refused('busy'));
    await expect(engine.search(query)).rejects.toMatchObject({ code: 'busy' });
    answer = () => Promise.reject(new Error('broken'));
    await expect(engine.search(query)).rejects.toThrow('broken');
    expect(await value('search_refused')).toBe(1);
    expect(await value('search_running')).toBe(0);
    expect(await value('search_seconds_count{kind="browse",filtered="false"}')).toBeUndefined();
  });

  it('report the number of running searches', async () => {
    let release = (_: SearchResult) => {};
    answer = () => new Promise((settle) => (release = settle));
    const asked = engine.search(query);
    expect(await value('search_running')).toBe(1);
    release(found);
    await asked;
    expect(await value('search_running')).toBe(0);
  });

  it("report the engine's status, and NaN for unknown values", async () => {
    expect(await value('search_documents')).toBe(7);
    expect(await value('search_ready')).toBe(1);
    expect(await value('search_engine{engine="postgres"}')).toBe(1);
    expect(await value('search_engine{engine="embedded"}')).toBe(0);
    expect(await value('search_cursor_lag')).toBeNaN();
  });
});
