import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAddress } from './query-notices.ts';
import { parseState, queryOf } from './state.ts';

const known = {
  categories: new Set(['magic', 'food', '16x']),
  loaders: new Set(['fabric', 'forge']),
  versions: new Set(['1.21', '1.20']),
};
const read = (query: string) => readAddress(new URLSearchParams(query), known);

test.each([
  '',
  'q=&s=relevance&m=20&page=1',
  'f=magic&f=food&nf=16x&g=fabric&ng=forge&v=1.21&nv=1.20&e=client&ne=server&l=open_source&h=1&m=96&o=0',
  'f=categories:magic&g=16x&g=categories:fabric&l=open_source:true',
  'f=magic&f=magic&hl=de&utm_source=a&fbclid=b&sid=c',
])('%s is applied without a notice', (query) => {
  expect(read(query).notes).toEqual({ ignored: [], more: 0, unknown: 0, both: [], cut: false });
});

test.each([
  ['f=cheese', 'cheese'],
  ['f=categories:cheese', 'cheese'],
  ['g=iris', 'iris'],
  ['v=9.99', '9.99'],
  ['nv=9.99', '9.99'],
  ['e=moon', 'moon'],
])('%s is ignored, and the notice names the value', (query, text) => {
  expect(read(query).notes).toMatchObject({ ignored: [text], unknown: 0 });
});

test.each([
  'l=mine',
  'h=2',
  's=cheapest',
  'm=7',
  'page=-3',
  'page=1e9',
  'page=99999999999999999999',
  'o=x',
  'colour=red',
  '__proto__=1',
  'q=a&q=b',
  's=newest&s=updated',
])('%s is ignored with a notice that does not repeat it', (query) => {
  expect(read(query).notes).toMatchObject({ ignored: [], unknown: 1 });
});

test('unknown values do not filter', () => {
  expect(queryOf(read('f=cheese&f=magic&g=iris&ng=x&v=9.99&nv=1.20').state)).toBe('f=magic&nv=1.20');
});

test('long and numerous values are truncated', () => {
  const { ignored, more, unknown } = read(`f=${'x'.repeat(5000)}&f=a&f=a&f=b&f=c&f=d&f=e&z=1&z=2`).notes;
  expect(ignored).toEqual([`${'x'.repeat(39)}…`, 'a', 'b', 'c']);
  expect(more).toBe(2);
  expect(unknown).toBe(2);
});

test('a value both included and excluded is named, with the search that includes it', () => {
  const { notes, state } = read('f=magic&nf=magic&nf=food&page=4');
  expect(queryOf(state)).toBe('nf=magic&nf=food&page=4');
  expect(notes.ignored).toEqual([]);
  expect(notes.both.map(({ list, value, instead }) => [list, value, queryOf(instead)])).toEqual([
    ['categories', 'magic', 'f=magic&nf=food'],
  ]);
});

test('too many words give a notice', () => {
  expect(read(`q=${'same+'.repeat(50)}`).notes.cut).toBe(false);
  expect(read(`q=${[...Array(13).keys()].join('+')}`).notes.cut).toBe(true);
  expect(read(`q=${'x'.repeat(2001)}`).notes).toMatchObject({ cut: true, ignored: [] });
});

test('any address parses as with parseState, except for unknown values', () => {
  fc.assert(
    fc.property(fc.webQueryParameters(), (query) => {
      const { state } = read(query);
      expect(state.text).toBe(parseState(new URLSearchParams(query)).text);
      expect(parseState(new URLSearchParams(queryOf(state)))).toEqual({ ...state, text: state.text.trim() });
    }),
  );
});
