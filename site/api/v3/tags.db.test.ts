import { beforeAll, expect, test } from 'vitest';
import { loadTags } from '#db/catalogue/tags/write.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';

const database = testDatabase();
const api = testApi(database);
type Row = Record<string, unknown>;

beforeAll(async () => {
  await loadTags(database.sql);
});

const read = async <T = Row[]>(path: string): Promise<T> => {
  const answer = await api.call('GET', `/v3${path}`);
  expect(answer.status).toBe(200);
  return (await answer.json()) as T;
};

test('loaders include that of modpacks, with games, fields and platforms', async () => {
  const rows = await read('/tag/loader');
  expect(rows).toHaveLength(29);
  const row = (name: string) => rows.find((one) => one.name === name);
  expect(row('mrpack')).toEqual({
    icon: expect.stringMatching(/^<svg/),
    name: 'mrpack',
    supported_project_types: ['modpack'],
    supported_games: ['minecraft-java'],
    supported_fields: ['game_versions', 'environment', 'mrpack_loaders'],
    metadata: {},
  });
  expect(row('paper')).toMatchObject({ supported_fields: ['game_versions'], metadata: { platform: false } });
  expect(row('velocity')).toMatchObject({ metadata: { platform: true } });
});

test('the values of a loader field can be filtered by their metadata', async () => {
  const all = await read('/loader_field?loader_field=game_versions');
  expect(all.find(({ value }) => value === '1.20.1')).toEqual({
    id: expect.any(Number),
    enum_id: 2,
    value: '1.20.1',
    ordering: null,
    created: expect.stringMatching(/^2023-06-12T/),
    type: 'release',
    major: expect.any(Boolean),
  });
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  const filters = encodeURIComponent(JSON.stringify({ type: 'release', major: true }));
  const majors = await read(`/loader_field?loader_field=game_versions&filters=${filters}`);
  expect(majors.length).toBeGreaterThan(3);
  expect(majors.every(({ type, major }) => type === 'release' && major === true)).toBe(true);
  expect(await read('/loader_field?loader_field=environment')).toHaveLength(10);
  const loaders = await read('/loader_field?loader_field=mrpack_loaders');
  expect(loaders.map(({ value }) => value)).toEqual(['fabric', 'forge', 'neoforge', 'quilt']);
});

test.each([
  '',
  '?loader_field=nonsense',
  '?loader_field=constructor',
  '?loader_field=environment&filters=[',
  '?loader_field=environment&filters=[1]',
])('/loader_field%s is 400', async (query) => {
  const answer = await api.call('GET', `/v3/loader_field${query}`);
  expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'request_error' }]);
});

test('the short lists match the reference', async () => {
  expect((await read('/games')).map(({ slug }) => slug)).toEqual(['minecraft-java', 'minecraft-bedrock']);
  expect(await read('/link_platform')).toEqual([
    ...['issues', 'source', 'wiki', 'discord', 'site', 'store'].map((name) => ({ name, donation: false })),
    ...['patreon', 'bmac', 'paypal', 'github', 'ko-fi', 'other'].map((name) => ({ name, donation: true })),
  ]);
  expect(await read('/license')).toContainEqual({ short: 'MIT', name: 'MIT License' });
  expect(await read<Row>('/license/MIT')).toMatchObject({ title: 'MIT License' });
  expect((await api.call('GET', '/v3/license/Nonsense')).status).toBe(400);
  expect(await read('/tag/report_type')).toContain('malicious');
  expect(await read('/tag/project_type')).toContain('plugin');
  expect((await read('/tag/category'))[0]).toMatchObject({ name: 'adventure', project_type: 'mod' });
  expect(Object.keys(await read<Row>('/statistics')).sort()).toEqual([
    'authors',
    'files',
    'projects',
    'versions',
  ]);
});
