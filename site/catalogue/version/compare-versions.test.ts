import { expect, test } from 'vitest';
import type { Version } from '#db/catalogue/versions/shape.ts';
import { compareVersions } from './compare-versions.ts';

const dependency = (project_id: string | null, given: object = {}) => ({
  ...{ project_id, version_id: null, file_name: null, dependency_type: 'required' as const },
  ...given,
});
const version = (given: Partial<Version> & { sizes?: number[] } = {}) =>
  ({
    ...{ loaders: ['fabric'], game_versions: ['1.21'], environment: 'unknown', dependencies: [] },
    files: (given.sizes ?? [10]).map((size) => ({ size })),
    ...given,
  }) as Version;

test('loaders, game versions, size and environment are compared', () => {
  const after = version({ loaders: ['quilt'], sizes: [10, 5], environment: 'client_only' });
  expect(compareVersions(version(), after)).toMatchObject({
    loaders: { added: ['quilt'], removed: ['fabric'] },
    game_versions: { added: [], removed: [] },
    size: { before: 10, after: 15 },
    environment: { before: 'unknown', after: 'client_only' },
  });
});

test('a dependency on the same project is a changed one', () => {
  const [a, b, c] = [dependency('a'), dependency('b'), dependency('c')];
  const later = dependency('b', { version_id: 'v2' });
  const found = compareVersions(version({ dependencies: [a, b, c] }), version({ dependencies: [a, later] }));
  expect(found.dependencies).toEqual({ added: [], removed: [c], changed: [{ before: b, after: later }] });
});

test('several files of one project are told apart', () => {
  const one = dependency('a', { version_id: '1' });
  const two = dependency('a', { version_id: '2' });
  const three = dependency('a', { version_id: '3' });
  const found = compareVersions(
    version({ dependencies: [one] }),
    version({ dependencies: [one, two, three] }),
  );
  expect(found.dependencies).toEqual({ added: [two, three], removed: [], changed: [] });
  const file = dependency(null, { file_name: 'x.jar' });
  expect(compareVersions(version({ dependencies: [file] }), version()).dependencies.removed).toEqual([file]);
});
