import { describe, expect, test } from 'vitest';
import {
  answering,
  answerOf,
  type Build,
  completed,
  narrowedTo,
  newerWithoutBuild,
  preselected,
  whyNot,
} from './rules.ts';

const build = (id: string, version_type: Build['version_type'], games: string, loaders: string): Build => ({
  id,
  version_type,
  game_versions: games.split(' '),
  loaders: loaders.split(' '),
});
/** Newest first. */
const builds = [
  build('a4', 'alpha', '1.21', 'fabric'),
  build('b3', 'beta', '1.21', 'fabric quilt'),
  build('r3', 'release', '1.21 1.20', 'fabric'),
  build('b2', 'beta', '1.21 1.20', 'fabric forge'),
  build('r2', 'release', '1.20 1.19', 'fabric forge'),
  build('a1', 'alpha', '1.18', 'forge'),
  build('a0', 'alpha', '1.18', 'forge'),
];
const offer = {
  builds,
  games: ['1.22', '1.21', '1.20', '1.19', '1.18'],
  loaders: ['fabric', 'forge', 'quilt', 'rift'],
};
const ids = (game: string, loader: string, among = builds) =>
  answerOf(among, { game, loader }).map(({ id }) => id);

describe('the recommendation', () => {
  test('is the newest release, then a newer beta, then an alpha newer than both', () => {
    expect(ids('1.21', 'fabric')).toEqual(['r3', 'b3', 'a4']);
    expect(ids('1.20', 'fabric')).toEqual(['r3']);
    expect(ids('1.20', 'forge')).toEqual(['r2', 'b2']);
  });

  test('without a release is the newest build', () => {
    expect(ids('1.21', 'quilt')).toEqual(['b3']);
    expect(ids('1.18', 'forge')).toEqual(['a1']);
    expect(ids('1.21', 'forge')).toEqual(['b2']);
  });

  test('is empty for a pair without a build', () => {
    expect(ids('1.18', 'fabric')).toEqual([]);
    expect(ids('1.22', 'fabric')).toEqual([]);
  });

  test('is the same when computed from the recommended builds only', () => {
    const few = answering(builds);
    expect(few.map(({ id }) => id)).toEqual(['a4', 'b3', 'r3', 'b2', 'r2', 'a1']);
    for (const game of offer.games)
      for (const loader of offer.loaders)
        expect([game, loader, ids(game, loader, few)]).toEqual([game, loader, ids(game, loader)]);
  });
});

test('a part without a result has a reason: no build at all, or none with the other part', () => {
  const games = (loader: string) => offer.games.map((game) => whyNot(builds, { game }, { loader }));
  expect(games('fabric')).toEqual(['no_build', null, null, null, 'not_together']);
  expect(games('rift')).toEqual(['no_build', ...Array(4).fill('not_together')]);
  const loaders = (game: string) => offer.loaders.map((loader) => whyNot(builds, { loader }, { game }));
  expect(loaders('1.18')).toEqual(['not_together', null, 'not_together', 'no_build']);
});

test('a missing part is completed from the newest release for the other part', () => {
  expect(completed(offer, { loader: 'quilt' })).toEqual({ game: '1.21', loader: 'quilt' });
  expect(completed(offer, { game: '1.19' })).toEqual({ game: '1.19', loader: 'fabric' });
  expect(completed(offer, { loader: 'rift' })).toBeNull();
});

describe('the initial choice', () => {
  const chosen = (requested: object, remembered: object = {}) => {
    const pair = preselected(offer, requested, remembered);
    return pair && `${pair.game} ${pair.loader}`;
  };

  test('is what the newest release supports', () => {
    expect(chosen({})).toBe('1.21 fabric');
    expect(preselected({ builds: [], games: [], loaders: [] }, {}, {})).toBeNull();
  });

  test('is what the address names, even without a build', () => {
    expect(chosen({ game: '1.18', loader: 'fabric' })).toBe('1.18 fabric');
    expect(chosen({ game: '1.22' })).toBe('1.22 fabric');
    expect(chosen({ loader: 'rift' })).toBe('1.21 rift');
    expect(chosen({ loader: 'forge' })).toBe('1.20 forge');
  });

  test('ignores what is not offered', () => {
    expect(chosen({ game: 'never', loader: 'constructor' })).toBe('1.21 fabric');
    expect(chosen({ game: '', loader: 'forge' })).toBe('1.20 forge');
  });

  test('is the previous choice, as far as it matches', () => {
    expect(chosen({}, { game: '1.19', loader: 'forge' })).toBe('1.19 forge');
    expect(chosen({}, { game: '1.16', loader: 'quilt' })).toBe('1.21 quilt');
    expect(chosen({}, { game: '1.18', loader: 'fabric' })).toBe('1.21 fabric');
    expect(chosen({}, { game: '1.18', loader: 'rift' })).toBe('1.18 forge');
    expect(chosen({ game: '1.20' }, { game: '1.18', loader: 'forge' })).toBe('1.20 forge');
    expect(chosen({ game: '1.21' }, { loader: 'rift' })).toBe('1.21 fabric');
  });
});

test('game versions newer than every build are those before the first with one', () => {
  expect(newerWithoutBuild(offer)).toEqual(['1.22']);
  expect(newerWithoutBuild({ ...offer, games: ['1.21', '1.20.5', '1.20'] })).toEqual([]);
  expect(newerWithoutBuild({ ...offer, builds: [] })).toEqual([]);
});

test.each<[string[], object]>([
  [[''], {}],
  [['g=quilt&v=1.20'], { game: '1.20', loader: 'quilt' }],
  // several values: the one that the offer names first
  [['g=rift&g=forge&v=1.18&v=1.19'], { game: '1.19', loader: 'forge' }],
  [['g=paper&v=never', 'g=forge'], { loader: 'forge' }],
  [['g=quilt', 'g=forge&v=1.18'], { game: '1.18', loader: 'quilt' }],
  [['loader=forge&version=1.18'], {}],
])('lists that were narrowed by %j choose what is offered of it', (queries, expected) => {
  expect(
    narrowedTo(
      offer,
      queries.map((query) => new URLSearchParams(query)),
    ),
  ).toEqual(expected);
});
