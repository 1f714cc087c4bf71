import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addressOf,
  cleared,
  defaultSize,
  displayModeOf,
  isFiltered,
  lastPage,
  parseState,
  queryOf,
  shownSize,
  sizes,
  sizesOf,
} from './state.ts';

const parsed = (text: string) => parseState(new URLSearchParams(text));

test('an address without a query matches everything', () => {
  expect(queryOf(parsed(''))).toBe('');
  expect(parsed('')).toMatchObject({
    text: '',
    categories: [],
    sort: 'relevance',
    page: 1,
    size: defaultSize,
  });
});

test('an invalid value counts as absent', () => {
  expect(queryOf(parsed('s=cheapest&m=7&page=-3&e=moon&l=mine&f='))).toBe('');
});

test('an excluded value is not included at the same time', () => {
  expect(parsed('f=magic&nf=magic&g=fabric&ng=fabric&v=1.20&nv=1.20&e=server&ne=server')).toMatchObject({
    categories: [],
    not_categories: ['magic'],
    loaders: [],
    not_loaders: ['fabric'],
    versions: [],
    not_versions: ['1.20'],
    sides: [],
    not_sides: ['server'],
  });
});

test('legacy addresses mean the same', () => {
  expect(queryOf(parsed('f=categories:magic&g=categories:fabric&g=16x&l=open_source:true'))).toBe(
    'f=magic&f=16x&g=fabric&l=open_source',
  );
  expect(parsed('o=40').page).toBe(3);
  expect(parsed('o=40&m=10').page).toBe(5);
  expect(parsed('o=40&page=2').page).toBe(2);
});

test('every page size of every view is accepted, no other', () => {
  expect(sizes.map((size) => parsed(`m=${size}`).size)).toEqual(sizes);
  for (const size of ['0', '7', '1000', '-5', '1e1', 'x']) expect(parsed(`m=${size}`).size).toBe(defaultSize);
});

test('each view shows the size nearest to the wanted one, and wanted sizes stay the same', () => {
  const shown = (wanted: number) =>
    (['list', 'grid', 'gallery'] as const).map((view) => shownSize(view, wanted));
  expect(shown(defaultSize)).toEqual([20, 18, 18]);
  expect(shown(100)).toEqual([100, 96, 96]);
  expect(shown(16)).toEqual([15, 18, 18]);
  for (const [view, offered] of Object.entries(sizesOf))
    for (const size of offered) expect(shownSize(view as 'list', size)).toBe(size);
});

test('a request for results may name a view, and addresses do not keep it', () => {
  const query = new URLSearchParams('view=grid&m=50');
  expect([displayModeOf(query, 'mod'), displayModeOf(new URLSearchParams('view=x'), 'mod')]).toEqual([
    'grid',
    'list',
  ]);
  expect(displayModeOf(new URLSearchParams(), 'shader')).toBe('gallery');
  expect(queryOf(parseState(query))).toBe('m=50');
});

test('the last page is bounded by search, and an empty list has one page', () => {
  expect([lastPage(0, 20), lastPage(20, 20), lastPage(21, 20), lastPage(1_000_000, 100)]).toEqual([
    1, 1, 2, 100,
  ]);
});

test('clearing filters keeps words, order and size, and the address keeps its language', () => {
  const state = parsed('q=a&f=magic&nv=1.20&ne=client&l=open_source&s=newest&m=50&page=3');
  expect(isFiltered(state)).toBe(true);
  expect(isFiltered(cleared(state))).toBe(false);
  expect(addressOf('/mods', cleared(state), 'de')).toBe('/mods?q=a&s=newest&m=50&hl=de');
  expect(addressOf('/mods', parsed(''), null)).toBe('/mods');
});

test('a parsed and serialized query stays the same', () => {
  const word = fc.constantFrom('a', 'magic', '16x', '1.21.4', 'ä"\\', 'x y');
  const query = fc.record({
    q: fc.string(),
    f: word,
    nf: word,
    g: word,
    v: word,
    nv: word,
    ne: fc.constantFrom('client', 'server'),
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
