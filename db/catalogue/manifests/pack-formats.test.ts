import { expect, test } from 'vitest';
import { gameReleases } from '../game-releases/rules.ts';
import { readManifests } from './read-manifests.ts';

const releases = gameReleases.map(({ version }) => ({ version, version_type: 'release' }));
const snapshot = { version: '99.1-snapshot-1', version_type: 'snapshot' };

async function read(pack: object, { folder = 'data', known = releases } = {}) {
  const text = new TextEncoder().encode(JSON.stringify({ pack }));
  const names = ['pack.mcmeta', `${folder}/a`];
  return await readManifests({ names, read: async () => text }, known);
}

test.each<[string, 'data' | 'assets', object, string[]]>([
  ['data 101 is 26.1', 'data', { min_format: [101, 1], max_format: [101, 1] }, ['26.1.2', '26.1.1', '26.1']],
  ['data 107 is 26.2', 'data', { min_format: 107, max_format: [107, 1] }, ['26.2']],
  ['resource 84 is 26.1', 'assets', { pack_format: 84 }, ['26.1.2', '26.1.1', '26.1']],
  ['resource 88 is 26.2', 'assets', { pack_format: 88 }, ['26.2']],
])('%s', async (_, folder, pack, game_versions) => {
  expect(await read(pack, { folder })).toMatchObject({ game_versions, problems: [] });
});

test.each(gameReleases.filter(({ data_format }) => data_format))(
  'a data pack of its own format works with $version',
  async ({ version, data_format, resource_format }) => {
    expect((await read({ pack_format: data_format })).game_versions).toContain(version);
    const resources = await read({ pack_format: resource_format }, { folder: 'assets' });
    expect(resources.game_versions).toContain(version);
  },
);

test('a bound beyond the table means "and later", and is told', async () => {
  const known = [snapshot, { version: '99.1', version_type: 'release' }, ...releases];
  const found = await read({ min_format: 101, max_format: 9999 }, { known });
  expect(found.game_versions).toEqual(['99.1', '26.2', '26.1.2', '26.1.1', '26.1']);
  expect(found.problems.map(({ code }) => code)).toEqual(['game_versions_later']);
  const later = await read({ min_format: 9000, max_format: 9999 }, { known });
  expect(later.game_versions).toEqual(['99.1']);
});

test('a format of snapshots only belongs to no release', async () => {
  const found = await read({ pack_format: 50 });
  expect(found).toMatchObject({ game_versions: [], problems: [{ code: 'game_versions_unknown' }] });
});
