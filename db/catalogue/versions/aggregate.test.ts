import { describe, expect, test } from 'vitest';
import { type AggregatedVersion, aggregateVersions } from './aggregate.ts';

const version = (given: Partial<AggregatedVersion>): AggregatedVersion => ({
  loaders: ['fabric'],
  mrpack_loaders: [],
  game_versions: ['1.20.1'],
  environment: 'client_only',
  date_published: '2024-01-01T00:00:00Z',
  ...given,
});

describe("aggregates of a project's versions", () => {
  test('are empty without versions', () => {
    expect(aggregateVersions([])).toEqual({
      loaders: [],
      mrpack_loaders: [],
      game_versions: [],
      environments: [],
      project_types: [],
      client_side: 'unknown',
      server_side: 'unknown',
    });
  });

  test('list each loader, game version and environment once, with the sides of the oldest version', () => {
    const fold = aggregateVersions([
      version({ environment: 'server_only' }),
      version({ loaders: ['quilt', 'fabric'], game_versions: ['1.20.1', '1.21'] }),
    ]);
    expect(fold).toMatchObject({
      loaders: ['fabric', 'quilt'],
      game_versions: ['1.20.1', '1.21'],
      environments: ['client_only', 'server_only'],
      project_types: ['mod'],
      client_side: 'unsupported',
      server_side: 'required',
    });
  });

  test.each([
    ['paper', 'unsupported', 'required'],
    ['datapack', 'optional', 'required'],
    ['iris', 'required', 'unsupported'],
    ['minecraft', 'required', 'unsupported'],
    ['fabric', 'required', 'unsupported'],
  ])(
    'take the sides from the type that %s gives before the environment',
    (loader, client_side, server_side) => {
      expect(aggregateVersions([version({ loaders: [loader] })])).toMatchObject({ client_side, server_side });
    },
  );

  test("keep mrpack and a modpack's own loaders apart", () => {
    expect(aggregateVersions([version({ loaders: ['mrpack'], mrpack_loaders: ['fabric'] })])).toMatchObject({
      loaders: ['mrpack'],
      mrpack_loaders: ['fabric'],
      project_types: ['modpack'],
    });
  });
});
