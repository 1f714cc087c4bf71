import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { connect } from '../sql.ts';
import { testDatabase } from '../test-database.ts';
import { arbitraryDoc } from './contract/arbitrary.ts';
import { searchContract } from './contract.ts';
import type { Doc, Sort } from './engine.ts';
import { postgresEngine } from './postgres.ts';

const database = testDatabase();

describe('the Postgres engine', () => {
  searchContract(() => postgresEngine(database.sql));

  it('keeps no named statement for a filter', async () => {
    const sql = connect({ address: database.address, database: database.name, max: 1 });
    const engine = postgresEngine(sql);
    const named = async () =>
      (await sql`select from pg_prepared_statements where statement like '%search_documents d%'`).length;
    const ask = async (n: number) => {
      const leaves = Array.from({ length: n }, (_, i) => ({ key: 'downloads', op: '>' as const, value: i }));
      for (const text of ['', 'lantern'])
        await engine.search({ text, filter: { or: leaves }, sort: 'relevance', offset: 0, limit: 10 });
    };
    await ask(1);
    const before = await named();
    for (let n = 2; n <= 12; n++) await ask(n);
    expect(await named()).toBe(before);
    await sql.end();
  });

  it('answers busy when Postgres takes too long for a filter', async () => {
    const { sql } = database;
    await sql.begin(async (tx) => {
      await tx`lock table search_documents in access exclusive mode`;
      const asked = { text: '', filter: null, sort: 'downloads' as const, offset: 0, limit: 10 };
      await expect(postgresEngine(sql).search(asked)).rejects.toMatchObject({ code: 'busy', status: 503 });
    });
  });

  it('says of itself how much it holds once it was asked', async () => {
    const engine = postgresEngine(database.sql);
    await engine.rebuild((async function* () {})());
    await vi.waitFor(() => expect(engine.status()).toMatchObject({ ready: true, documents: 0 }), {
      timeout: 5_000,
    });
    expect(engine.status().bytes).toBeGreaterThan(0);
  });
});

describe('a search by text', () => {
  const titles = [
    'Fast Lanterns',
    'FastLanterns Extra',
    'Lantern',
    'Slow Lamps',
    '地図ランタン',
    "Baker's Dozen",
  ];
  const ask = async (text: string, sort: Sort = 'relevance') => {
    const { ids, total } = await postgresEngine(database.sql).search({
      text,
      filter: null,
      sort,
      offset: 0,
      limit: 10,
    });
    expect(total).toBe(ids.length);
    return ids.map((id) => titles[Number(id.slice(-1))]);
  };

  beforeAll(async () => {
    const [doc] = fc.sample(arbitraryDoc('AAAAAAA0'), 1) as [Doc];
    const docs = titles.map((title, n) => ({
      ...doc,
      ...{
        title,
        project_id: `AAAAAAA${n}`,
        slug: '',
        description: 'Glows',
        author: 'ada',
        organization: null,
      },
      ...{ downloads: n * 100, categories: [] },
    }));
    await postgresEngine(database.sql).apply(
      [...'bcdefghijk', ...'0123456789'].map((end) => ({ remove: `AAAAAAA${end}` })),
    );
    await postgresEngine(database.sql).apply(docs.map((put) => ({ put })));
  });

  it.each<[string, string, string[]]>([
    ['the whole title first', 'fast lanterns', ['Fast Lanterns', 'FastLanterns Extra']],
    ['an unfinished word', 'lanter', ['Lantern', 'Fast Lanterns', 'FastLanterns Extra']],
    ['a mistyped word', 'slwo lamps', ['Slow Lamps']],
    ['words written together', 'slowlamps', ['Slow Lamps']],
    ['a word written apart', 'lan tern', ['Lantern', 'Fast Lanterns', 'FastLanterns Extra']],
    ['a word too many', 'slow lamps unheard', ['Slow Lamps']],
    ['an unspaced script', '地図', ['地図ランタン']],
    ['a possessive without its apostrophe', 'baker dozen', ["Baker's Dozen"]],
    ['nothing it knows', 'qwertyuiop', []],
    ['no words at all', '!?', []],
  ])('finds %s', async (_what, text, found) => {
    const got = await ask(text);
    expect(got[0]).toBe(found[0]);
    expect(new Set(got)).toEqual(new Set(found));
  });

  it('keeps its matches when sorted by a column', async () => {
    expect(await ask('fastlanterns', 'downloads')).toEqual(['FastLanterns Extra', 'Fast Lanterns']);
    expect((await ask('glows', 'downloads')).length).toBe(titles.length);
  });
});
