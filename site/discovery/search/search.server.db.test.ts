import { beforeAll, describe, expect, it } from 'vitest';
import { messages } from '#content/messages.ts';
import { indexConsumer } from '#db/discovery/search/documents/index-consumer.ts';
import { postgresEngine } from '#db/discovery/search/postgres/engine.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import type { AppServices } from '../../platform/context.ts';
import { typeInfo } from '../../platform/paths/project-types.ts';
import { loadSearch, type SearchPage } from './search.server.ts';
import { queryOf } from './state.ts';

const database = testDatabase();
let services: AppServices;

const at = (query: string, type = 'mod'): Promise<SearchPage> =>
  loadSearch({ services, messages: messages('en-US') }, typeInfo(type)!, new URLSearchParams(query));
const titles = async (query: string, type?: string) =>
  (await at(query, type)).hits.map(({ title }) => title).sort();

beforeAll(async () => {
  const { sql } = database;
  services = { sql, search: postgresEngine(sql) } as unknown as AppServices;
  const add = async (
    title: string,
    categories: string[],
    versions: Parameters<typeof build.version>[2][],
  ) => {
    const project = await build.project(sql, { title, categories });
    for (const version of versions) await build.version(sql, project, version);
  };
  await add('Both Lamps', ['magic'], [{ loaders: ['fabric', 'forge'], game_versions: ['1.20.1', '1.21.4'] }]);
  await add(
    'Crossed Lamps',
    ['magic', 'food'],
    [
      { loaders: ['fabric'], game_versions: ['1.20.1'] },
      { loaders: ['forge'], game_versions: ['1.21.4'] },
    ],
  );
  await add('Quilt Lamps', ['food'], [{ loaders: ['quilt'], game_versions: ['1.21.4'] }]);
  await add('Small Glow', ['low'], [{ loaders: ['iris'], game_versions: ['1.21.4'] }]);
  await add('Great Glow', ['high'], [{ loaders: ['iris'], game_versions: ['1.21.4'] }]);
  const reader = indexConsumer(sql, postgresEngine(sql));
  while ((await reader.step()) > 0);
});

describe('the filters of a search page', () => {
  it.each([
    ['', ['Both Lamps', 'Crossed Lamps', 'Quilt Lamps']],
    ['g=fabric&v=1.21.4', ['Both Lamps']],
    ['g=fabric&g=quilt&v=1.21.4', ['Both Lamps', 'Quilt Lamps']],
    ['g=forge&v=1.20.1&v=1.21.4', ['Both Lamps', 'Crossed Lamps']],
    ['ng=forge', ['Quilt Lamps']],
    ['g=fabric&ng=forge', []],
    ['nv=1.20.1', ['Quilt Lamps']],
    ['f=magic&f=food', ['Crossed Lamps']],
    ['f=food&nf=magic', ['Quilt Lamps']],
    ['q=quilt', ['Quilt Lamps']],
  ])(
    '%j finds %j: one version has all included values, no version an excluded one',
    async (query, expected) => {
      expect(await titles(query)).toEqual(expected);
    },
  );

  it('performance impacts match any', async () => {
    expect(await titles('f=low&f=high', 'shader')).toEqual(['Great Glow', 'Small Glow']);
    expect(await titles('nf=high', 'shader')).toEqual(['Small Glow']);
  });
});

describe('words that nothing has', () => {
  it.each([
    // the nearest name, within two edits from six letters on
    ['q=crosset+lamps', null],
    ['q=crussad', 'q=crossed'],
    ['q=crosd', null],
    ['q=qilt', null],
    ['q=great', null],
    ['q=crussad&g=forge', 'q=crossed&g=forge'],
    ['q=crussad&g=quilt', null],
    ['q=qqqqqzzzzz', null],
  ])('%j suggests %j', async (query, suggested) => {
    const { nearest } = await at(query);
    expect(nearest && queryOf(nearest)).toBe(suggested);
  });

  it.each([
    // a loader that no hit has among its words
    ['q=both+lamps+forge', 'q=both+lamps&g=forge', 1],
    ['q=quilt+lamps+forge', 'q=lamps&g=quilt&g=forge', 3],
    ['q=crossed+forge', 'q=crossed&g=forge', 1],
    ['q=crossed+fabric', 'q=crossed&g=fabric', 1],
    // a name has it
    ['q=quilt+lamps', 'q=quilt+lamps', 1],
    // what is missing is another word
    ['q=quilt+lamps+unheard', 'q=quilt+lamps+unheard', 1],
    ['q=crossed+forge&w=1', 'q=crossed+forge&w=1', 1],
  ])('%j is understood as %j', async (query, understood, found) => {
    const { state, total } = await at(query);
    expect([queryOf(state), total]).toEqual([understood, found]);
  });
});

describe('a search without results', () => {
  it('suggests what to remove, most results first, with their number', async () => {
    const { loosen, total } = await at('g=quilt&f=magic&v=1.21.4');
    expect(total).toBe(0);
    expect(loosen.map(({ state, total: count }) => [queryOf(state), count])).toEqual([
      ['f=magic&v=1.21.4', 2],
      ['g=quilt&v=1.21.4', 1],
    ]);
  });

  it('clears everything when nothing less helps', async () => {
    for (const query of ['q=qqqqqzzzzz', 'q=qqqqqzzzzz&g=rift']) {
      const { loosen } = await at(query);
      expect(loosen.map(({ what, state, total }) => [what, queryOf(state), total])).toEqual([
        ['everything', '', 3],
      ]);
    }
  });

  it('names types and categories that the words mean', async () => {
    const { places } = await at('q=shaders');
    expect(places.map(({ name, count }) => [name, count])).toEqual([['Shaders', 2]]);
  });

  it('suggests nothing in a type without projects', async () => {
    const { loosen, places } = await at('q=qqqqqzzzzz', 'modpack');
    expect([loosen, places]).toEqual([[], []]);
  });
});

describe('what a search page counts', () => {
  const counts = async (query: string, field: string, type?: string) =>
    Object.fromEntries([...(await at(query, type)).counts.get(field)!].filter(([, count]) => count !== 0));
  const totals = async (query: string, type?: string) =>
    Object.fromEntries([...(await at(query, type)).totals].filter(([, count]) => count > 0));

  it('counts the words in every type, and without words all projects', async () => {
    expect(await totals('q=glow')).toEqual({ shader: 2 });
    expect(await totals('q=lamps&g=quilt', 'shader')).toEqual({ mod: 3 });
    expect(await totals('')).toEqual({ mod: 3, shader: 2 });
  });

  it('counts an option with all other filters, of alternatives without the chosen ones', async () => {
    expect(await counts('', 'g')).toEqual({ fabric: 2, forge: 2, quilt: 1 });
    expect(await counts('g=quilt', 'g')).toEqual({ fabric: 2, forge: 2, quilt: 1 });
    expect(await counts('g=fabric&f=food', 'v')).toEqual({ '1.20.1': 1 });
    expect(await counts('f=magic', 'f')).toEqual({ magic: 2, food: 1 });
    expect(await counts('nf=food', 'f')).toEqual({ magic: 1 });
    expect(await counts('f=low', 'f', 'shader')).toEqual({ low: 1, high: 1 });
    expect(await counts('q=quilt', 'f')).toEqual({ food: 1 });
  });
});

it('a page beyond the end becomes the last one, with a notice', async () => {
  const { beyond, state, hits } = await at('m=5&page=9999');
  expect([beyond, state.page, hits.length]).toEqual([9999, 1, 3]);
  expect((await at('q=qqqqqzzzzz&page=7')).beyond).toBeNull();
});

describe('words that name versions and loaders', () => {
  it.each([
    ['q=lamps+fabric+1.21.4', ['Both Lamps'], 'q=lamps&g=fabric&v=1.21.4'],
    ['q=1.20.1', ['Both Lamps', 'Crossed Lamps'], 'v=1.20.1'],
    ['q=quilt+lamps', ['Quilt Lamps'], null],
    ['q=lamps+1.21.4&w=1', [], null],
  ])('%s finds %j', async (query, found, address) => {
    const page = await at(query);
    expect(page.hits.map(({ title }) => title).sort()).toEqual(found);
    expect(page.typed === null ? null : queryOf(page.state)).toBe(address);
    if (page.typed) expect(queryOf(page.typed)).toBe(`${query}&w=1`);
  });
});
