import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { releaseRows } from './data/releases.ts';
import { gameReleases, rowsFor, withoutFacts } from './rules.ts';

const listed: Array<{ version: string; version_type: string }> = JSON.parse(
  readFileSync(new URL('../tags/game-versions.json', import.meta.url), 'utf8'),
);

describe('the table of releases', () => {
  test('has every release of the catalogue, in its order: run node bin/game-releases.ts', () => {
    expect(releaseRows.map(([version]) => version)).toEqual(rowsFor(listed).map(([version]) => version));
  });

  test('knows pack formats, Java and loaders of each of them', () => {
    expect(withoutFacts(rowsFor(listed))).toEqual([]);
  });

  test('says which facts are missing when the catalogue gets a release', () => {
    const next = [{ version: '99.1', version_type: 'release' }, ...listed];
    expect(withoutFacts(rowsFor(next))).toEqual(['99.1']);
    expect(rowsFor([{ version: '99.2-pre-1', version_type: 'snapshot' }])).toEqual([]);
  });

  test.each(['resource_format', 'data_format', 'oldest_java', 'newest_java'] as const)(
    'never goes back: %s',
    (fact) => {
      const values = gameReleases.map((release) => release[fact]);
      expect(values).toEqual(values.toSorted((one, other) => other! - one!));
    },
  );
});
