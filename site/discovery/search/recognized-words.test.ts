import { expect, test } from 'vitest';
import { recognized } from './recognized-words.ts';
import { parseState, queryOf } from './state.ts';

const versions = ['26.2', '26.2-pre1', '26.1', '1.21.4', '1.21.1', '1.21', '1.20.6', '1.20.1', '1.20'];
const known = { loaders: new Set(['fabric', 'neoforge', 'legacy-fabric']) };
const meant = (query: string) =>
  recognized(parseState(new URLSearchParams(query)), known, versions, { has_sides: true });
const of = (text: string) => {
  const found = meant(new URLSearchParams({ q: text }).toString());
  return found && [decodeURIComponent(queryOf(found.state)), found.is_certain];
};

test.each([
  ['1.21.4', 'v=1.21.4', true],
  ['minimap 26.2', 'q=minimap&v=26.2', true],
  ['performance Fabric 1.21', 'q=performance&g=fabric&v=1.21', true],
  ['mc1.21 maps', 'q=maps&v=1.21', true],
  ['maps 1.21.x', 'q=maps&v=1.21.4&v=1.21.1&v=1.21', true],
  ['maps 1.20.6-1.21.1', 'q=maps&v=1.21.1&v=1.21&v=1.20.6', true],
  ['maps 1.21.4+', 'q=maps&v=26.2&v=26.1&v=1.21.4', true],
  ['neoforge maps', 'q=maps&g=neoforge', false],
  ['fabric api', 'q=api&g=fabric', false],
  ['server maps', 'q=maps&e=server', false],
  ['server-side maps', 'q=maps&e=server', true],
  ['open source maps', 'q=maps&l=open_source', true],
  ['maps mit', 'q=maps&l=open_source', true],
])('%s means %s', (text, query, is_certain) => {
  expect(of(text)).toEqual([query, is_certain]);
});

test.each(['', 'maps', '9.9.9', '1.21.1-9.9', '1.21.4-1.20', 'fabricated', 'mitten', 'v'])(
  '%j names nothing',
  (text) => {
    expect(of(text)).toBeNull();
  },
);

test('filters that are chosen stay, and what was excluded is included', () => {
  const found = meant('q=fabric+maps&v=1.20&ng=fabric&s=newest');
  expect(decodeURIComponent(queryOf(found!.state))).toBe('q=maps&g=fabric&v=1.20&s=newest');
});

test('an address says that its words are words', () => {
  const state = parseState(new URLSearchParams('q=1.21.4&w=1'));
  expect([state.words, queryOf(state)]).toEqual([true, 'q=1.21.4&w=1']);
});
