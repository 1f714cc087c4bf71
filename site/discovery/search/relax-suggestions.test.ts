import { expect, test } from 'vitest';
import { relaxSuggestions } from './relax-suggestions.ts';
import { parseState, queryOf } from './state.ts';

const ways = (query: string, type = 'mod') =>
  relaxSuggestions(parseState(new URLSearchParams(query)), type).map(({ what, values, state }) => [
    what,
    values.join(' '),
    queryOf(state),
  ]);

test('alternatives are removed together, everything else one by one, then the words, then all', () => {
  expect(ways('q=lamp&f=magic&f=food&g=fabric&g=forge&nv=1.20&l=open_source&s=newest&page=3')).toEqual([
    ['categories', 'magic', 'q=lamp&f=food&g=fabric&g=forge&nv=1.20&l=open_source&s=newest'],
    ['categories', 'food', 'q=lamp&f=magic&g=fabric&g=forge&nv=1.20&l=open_source&s=newest'],
    ['loaders', 'fabric forge', 'q=lamp&f=magic&f=food&nv=1.20&l=open_source&s=newest'],
    ['not_versions', '1.20', 'q=lamp&f=magic&f=food&g=fabric&g=forge&l=open_source&s=newest'],
    ['open_source', '', 'q=lamp&f=magic&f=food&g=fabric&g=forge&nv=1.20&s=newest'],
    ['text', 'lamp', 'f=magic&f=food&g=fabric&g=forge&nv=1.20&l=open_source&s=newest'],
    ['all', '', 'q=lamp&s=newest'],
  ]);
});

test('a single filter is removed alone, and words without filters cannot be relaxed', () => {
  expect(ways('g=rift')).toEqual([['loaders', 'rift', '']]);
  expect(ways('q=nothing+like+this')).toEqual([]);
  expect(ways('')).toEqual([]);
});

test('performance impacts are removed together', () => {
  expect(ways('f=low&f=medium', 'shader')).toEqual([['categories', 'low medium', '']]);
});

test('at most eight suggestions, however many filters there are', () => {
  const many = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'].map((name) => `f=${name}`).join('&');
  expect(ways(`q=x&${many}`)).toHaveLength(8);
});
