import { expect, test } from 'vitest';
import type { Version } from '#db/catalogue/versions/shape.ts';
import { latest } from './latest.ts';

const version = (id: string, game: string, loader: string) =>
  ({ id, game_versions: [game], loaders: [loader], version_type: 'alpha' }) as unknown as Version;
const versions = [
  version('c', '1.21', 'forge'),
  version('b', '1.21', 'fabric'),
  version('a', '1.20', 'fabric'),
];
const found = (query: string, among = versions) => {
  const { version, query: list } = latest(among, new URLSearchParams(query));
  return [version?.id ?? null, list];
};

test('the newest version that matches loader and game version is the latest', () => {
  expect(found('')).toEqual(['c', '']);
  expect(found('loader=fabric')).toEqual(['b', '?g=fabric']);
  expect(found('loader=fabric&version=1.20')).toEqual(['a', '?v=1.20&g=fabric']);
  expect(found('loader=quilt&loader=forge&loader=')).toEqual(['c', '?g=quilt&g=forge']);
});

test('without a match, the list has the same filters', () => {
  expect(found('version=constructor')).toEqual([null, '?v=constructor']);
  expect(found('', [])).toEqual([null, '']);
});
