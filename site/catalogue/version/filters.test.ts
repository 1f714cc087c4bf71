import { expect, test } from 'vitest';
import type { Version } from '#db/catalogue/versions/shape.ts';
import { loosened, matching, pageOf, parseFilters, queryOf, toggled, toggledAll } from './filters.ts';

const parsed = (text: string) => parseFilters(new URLSearchParams(text));
const version = (id: string, game: string, loader: string, version_type: string) =>
  ({ id, game_versions: [game], loaders: [loader], version_type }) as unknown as Version;
const versions = [
  version('a', '1.21', 'fabric', 'release'),
  version('b', '1.20', 'fabric', 'beta'),
  version('c', '1.20', 'forge', 'release'),
];
const ids = (text: string) => matching(versions, parsed(text)).map(({ id }) => id);

test('values of one filter are alternatives, filters are combined', () => {
  expect(ids('')).toEqual(['a', 'b', 'c']);
  expect(ids('v=1.20')).toEqual(['b', 'c']);
  expect(ids('v=1.20&v=1.21&g=fabric')).toEqual(['a', 'b']);
  expect(ids('v=1.20&c=release')).toEqual(['c']);
  expect(ids('v=never')).toEqual([]);
});

test('toggling a filter restarts at the first page', () => {
  const on = toggled(parsed('page=3'), 'loaders', 'fabric');
  expect(queryOf(on)).toBe('?g=fabric');
  expect(queryOf(toggled(on, 'loaders', 'fabric'))).toBe('');
});

test('a range of values is toggled as a whole', () => {
  const some = toggledAll(parsed('v=1.20&g=fabric'), 'game_versions', ['1.21', '1.20']);
  expect(queryOf(some)).toBe('?v=1.21&v=1.20&g=fabric');
  expect(queryOf(toggledAll(some, 'game_versions', ['1.21', '1.20']))).toBe('?g=fabric');
});

test('an invalid page is the first', () => {
  expect(['page=0', 'page=-1', 'page=x', 'page=99999999'].map((text) => parsed(text).page)).toEqual([
    1, 1, 1, 1,
  ]);
});

test('a page has twenty versions, one beyond the last none', () => {
  const many = Array.from({ length: 41 }, (_, position) =>
    version(`v${position}`, '1.21', 'fabric', 'release'),
  );
  const page = (text: string) => pageOf(many, parsed(text));
  expect(page('').visible).toHaveLength(20);
  expect(page('page=3').visible.map(({ id }) => id)).toEqual(['v40']);
  expect(page('page=4')).toEqual({ found: 41, pages: 3, visible: [] });
  expect(page('c=beta')).toEqual({ found: 0, pages: 0, visible: [] });
});

test('when nothing matches, each filter whose removal helps is named with its number of matches', () => {
  const ways = (text: string) =>
    loosened(versions, parsed(text)).map(({ list, filters, found }) => [list, queryOf(filters), found]);
  expect(ways('v=1.21&c=beta')).toEqual([
    ['game_versions', '?c=beta', 1],
    ['channels', '?v=1.21', 1],
  ]);
  expect(ways('v=never&g=forge&page=3')).toEqual([['game_versions', '?g=forge', 1]]);
  expect(ways('v=never&g=never')).toEqual([]);
});
