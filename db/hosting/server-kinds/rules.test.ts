import { describe, expect, test } from 'vitest';
import { gameReleases } from '../../catalogue/game-releases/rules.ts';
import { loaders } from '../../catalogue/tags/rules.ts';
import { defaultJava, javaFor, javaVersions } from './java/rules.ts';
import { kindIds, kindOffers, loadersFor, whyNotOffered } from './rules.ts';

describe('what servers are offered with', () => {
  test('comes from the table of releases: versions and their loaders', () => {
    const offered = gameReleases.filter(({ server_loaders }) => server_loaders!.length > 0);
    expect(kindOffers.itzg.game_versions).toEqual(offered.map(({ version }) => version));
    for (const { version, server_loaders } of offered)
      expect(loadersFor('itzg', version)).toEqual(server_loaders);
    const none = gameReleases.find(({ server_loaders }) => server_loaders!.length === 0)!;
    expect(whyNotOffered('itzg', none.version)).toBe('server_version_unknown');
  });

  test.each(kindIds)('%s has releases that are known, and loaders of the catalogue', (kind) => {
    const known = gameReleases.map(({ version }) => version);
    expect(known).toEqual(expect.arrayContaining([...kindOffers[kind].game_versions]));
    const names = loaders.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(kindOffers[kind].loaders)));
  });
});

describe('the Java of a server', () => {
  test.each(gameReleases)(
    '$version runs with what the table says',
    ({ version, oldest_java, newest_java }) => {
      const fitting = javaFor(version);
      expect([fitting[0], fitting.at(-1)]).toEqual([oldest_java, newest_java]);
      expect(defaultJava(version)).toBe(oldest_java);
      expect(javaVersions).toEqual(expect.arrayContaining(fitting));
    },
  );

  test.each([
    ['99.1', '26.2'],
    ['26.2.1', '26.2'],
    ['26.3-snapshot-9', '26.2'],
    ['1.6.2', '1.6.1'],
    ['25w14a', '26.2'],
  ])('%s, which the table does not know, runs with that of %s', (version, like) => {
    expect(javaFor(version)).toEqual(javaFor(like));
  });
});
