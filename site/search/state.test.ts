import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseFilter } from '#db/search/query-language.ts';
import { defaultSize, facetsOf, parseState, queryOf, sizes } from './state.ts';

const parsed = (text: string) => parseState(new URLSearchParams(text));

test('an address without a query asks for everything', () => {
  expect(queryOf(parsed(''))).toBe('');
  expect(parsed('')).toMatchObject({
    text: '',
    categories: [],
    sort: 'relevance',
    page: 1,
    size: defaultSize,
  });
});

test('what a query does not say rightly counts as absent', () => {
  expect(queryOf(parsed('s=cheapest&m=7&page=-3&e=moon&l=mine&f='))).toBe('');
});

test('what is left out is not wanted at the same time', () => {
  expect(parsed('f=magic&nf=magic&g=fabric&ng=fabric')).toMatchObject({
    categories: [],
    not_categories: ['magic'],
    loaders: [],
    not_loaders: ['fabric'],
  });
});

test('a query read and written again stays the same', () => {
  const word = fc.constantFrom('a', 'magic', '16x', '1.21.4', 'ä"\\', 'x y');
  const query = fc.record({
    q: fc.string(),
    f: word,
    nf: word,
    g: word,
    v: word,
    m: fc.constantFrom(...sizes),
    page: fc.nat(50),
  });
  fc.assert(
    fc.property(query, (fields) => {
      const once = queryOf(
        parsed(new URLSearchParams(Object.entries(fields).map(([k, v]) => [k, String(v)])).toString()),
      );
      expect(queryOf(parsed(once))).toBe(once);
    }),
  );
});

test('categories must all match, resolutions, loaders and versions any', () => {
  expect(
    facetsOf(
      parsed(
        'f=magic&f=16x&f=32x&f=mobs&g=fabric&g=quilt&v=1.21&v=1.20&e=client&l=open_source&nf=food&ng=forge',
      ),
      'mod',
    ),
  ).toEqual([
    ['project_types=mod'],
    ['categories = "magic"'],
    ['categories = "mobs"'],
    ['categories = "16x"', 'categories = "32x"'],
    ['categories != "food"'],
    ['categories = "fabric"', 'categories = "quilt"'],
    ['any_loader != "forge"'],
    ['game_versions = "1.21"', 'game_versions = "1.20"'],
    ['client_side:required', 'client_side:optional'],
    ['open_source:true'],
  ]);
});

test('whatever stands in an address gives facets the query language reads', () => {
  fc.assert(
    fc.property(fc.webQueryParameters(), fc.array(fc.string(), { maxLength: 5 }), (query, names) => {
      const state = { ...parsed(query), categories: names, loaders: names };
      expect(() => parseFilter({ facets: JSON.stringify(facetsOf(state, 'mod')) }, 2)).not.toThrow();
    }),
  );
});
