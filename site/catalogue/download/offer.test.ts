import { expect, test } from 'vitest';
import type { GameVersion } from '#db/catalogue/tags/read.ts';
import type { Version } from '#db/catalogue/versions/shape.ts';
import { offerOf } from './offer.ts';
import { preselected } from './rules.ts';

const game = (version: string, version_type = 'release') => ({ version, version_type }) as GameVersion;
const games = [
  game('1.22'),
  game('26w01a', 'snapshot'),
  game('1.21'),
  game('1.20'),
  game('25w01a', 'snapshot'),
  game('1.19'),
];
const version = (id: string, game_versions: string[], loaders: string[], files = 1) =>
  ({
    id,
    version_type: 'release',
    game_versions,
    loaders,
    files: Array(files).fill({}),
  }) as unknown as Version;

test("releases from the newest of all to the project's oldest are listed, snapshots only with a build", () => {
  const offer = offerOf([version('a', ['26w01a', '1.20'], ['fabric'])], games);
  expect(offer.games).toEqual(['1.22', '26w01a', '1.21', '1.20']);
  expect([...offer.snapshots]).toEqual(['26w01a']);
});

test("the project's loaders come first, then the other common ones of its groups", () => {
  const offer = offerOf([version('a', ['1.20'], ['quilt', 'fabric'])], games);
  expect(offer.loaders).toEqual(['fabric', 'quilt', 'neoforge', 'forge']);
  expect(offerOf([version('a', ['1.20'], ['minecraft'])], games).loaders).toEqual(['minecraft']);
});

test('a download is preselected for the most used loader, not for the first of the alphabet', () => {
  const first = (...loaders: string[]) => {
    const offer = offerOf([version('a', ['1.20'], loaders)], games);
    return preselected(offer, {}, {})?.loader;
  };
  expect(first('bukkit', 'folia', 'paper')).toBe('paper');
  expect(first('folia', 'spigot')).toBe('spigot');
  expect(first('babric', 'forge', 'fabric')).toBe('fabric');
  expect(first('bungeecord', 'velocity')).toBe('velocity');
  expect(first('canvas', 'iris', 'optifine')).toBe('iris');
  expect(first('babric', 'bta-babric')).toBe('babric');
});

test('hidden values are left out, and unknown ones come last', () => {
  const offer = offerOf(
    [
      version('b', ['1.20'], ['fabric']),
      version('a', ['1.20'], ['fabric']),
      version('c', ['of-old'], ['forge']),
      version('d', ['1.19'], ['rift'], 0),
    ],
    games,
  );
  expect(offer.builds.map(({ id }) => id)).toEqual(['b', 'c']);
  expect(offer.games).toEqual(['1.22', '1.21', '1.20', 'of-old']);
});

test('a project without versions offers nothing', () => {
  expect(offerOf([], games)).toEqual({ builds: [], games: [], loaders: [], snapshots: new Set() });
});
