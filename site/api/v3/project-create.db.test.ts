import { beforeAll, describe, expect, it } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { zipOf } from '#db/testing/zips.ts';
import { testApi } from '../../testing/api.ts';
import { dataOf, type Files, form, jar, onDisk } from '../../testing/versions.ts';

const database = testDatabase();
const api = testApi(database);
let token: string;
beforeAll(async () => {
  token = await build.token(database.sql, await build.user(database.sql));
});

const initial = (given: Record<string, unknown> = {}) => {
  const { project_id: _none, ...data } = dataOf('', { environment: 'client_only', ...given });
  return data;
};
let count = 0;
const project = (given: Record<string, unknown> = {}) => ({
  name: 'Lantern Light',
  slug: `lantern-v3-${++count}`,
  summary: 'Lanterns that light up at night',
  description: '# Lanterns',
  initial_versions: [initial()],
  categories: ['decoration'],
  license_id: 'MIT',
  ...given,
});
const one = async (): Promise<Files> => ({ file: ['lantern.jar', await jar(`v3 ${++count}`)] });
const post = async (data: unknown, files: Files) =>
  await api.call('POST', '/v3/project', { token, body: form(data, files) });
const pack = async () =>
  await zipOf({
    'modrinth.index.json': JSON.stringify({
      game: 'minecraft',
      formatVersion: 1,
      versionId: String(++count),
      name: 'Pack',
      files: [],
      dependencies: { minecraft: '1.20.1', 'fabric-loader': '0.15.0' },
    }),
    'overrides/config.txt': 'x',
  });

describe('creating a project in v3', () => {
  it('publishes it with its loader fields and links', async () => {
    const answer = await post(
      project({
        link_urls: {
          issues: 'https://example.test/i',
          site: 'https://example.test/s',
          'ko-fi': 'https://example.test/k',
        },
        license_url: 'https://example.test/l',
      }),
      await one(),
    );
    const made = (await answer.json()) as { id: string };
    expect(answer.status).toBe(200);
    expect(made).toMatchObject({
      name: 'Lantern Light',
      summary: 'Lanterns that light up at night',
      description: '# Lanterns',
      status: 'processing',
      loaders: ['fabric'],
      environment: ['client_only'],
      game_versions: ['1.20.1'],
      license: { url: 'https://example.test/l' },
      link_urls: {
        issues: { platform: 'issues', donation: false, url: 'https://example.test/i' },
        site: { platform: 'site', donation: false, url: 'https://example.test/s' },
        'ko-fi': { platform: 'ko-fi', donation: true, url: 'https://example.test/k' },
      },
    });
    const v2 = (await (await api.call('GET', `/v2/project/${made.id}`, { token })).json()) as object;
    expect(v2).toMatchObject({ title: 'Lantern Light', client_side: 'required', server_side: 'unsupported' });
    expect((await api.call('DELETE', `/v3/project/${made.id}`, { token })).status).toBe(204);
    expect((await api.call('GET', `/v3/project/${made.id}`, { token })).status).toBe(404);
    expect(await onDisk(api.services)).toEqual([]);
  });

  it('a modpack has the loader mrpack and its own in mrpack_loaders', async () => {
    const answer = await post(
      project({ initial_versions: [initial({ loaders: ['mrpack'], mrpack_loaders: ['fabric'] })] }),
      { file: ['pack.mrpack', await pack()] },
    );
    expect(await answer.json()).toMatchObject({
      project_types: ['modpack'],
      loaders: ['mrpack'],
      mrpack_loaders: ['fabric'],
    });
  });

  it('takes older names, and drafts without versions', async () => {
    const {
      name: mod_name,
      summary: mod_description,
      description: mod_body,
      slug: mod_slug,
      ...rest
    } = project();
    const older = { ...rest, mod_name, mod_description, mod_body, mod_slug };
    const answer = await post({ ...older, is_draft: true, initial_versions: [] }, {});
    expect(await answer.json()).toMatchObject({ name: mod_name, slug: mod_slug, status: 'draft' });
  });

  it.each<[string, Record<string, unknown>]>([
    ['no environment where a loader has it', { initial_versions: [initial({ environment: undefined })] }],
    ['a field that no loader has', { initial_versions: [initial({ mrpack_loaders: ['fabric'] })] }],
    ['a side of v2', { initial_versions: [initial({ client_side: 'required' })] }],
    ['an unknown loader', { initial_versions: [initial({ loaders: ['nonsense'], environment: undefined })] }],
    ['an unknown link platform', { link_urls: { nobody: 'https://example.test' } }],
    ['a link without https', { link_urls: { wiki: 'http://example.test' } }],
    ['a name of two characters', { name: 'ab' }],
    ['NUL in the name', { name: 'abc\0' }],
    ['half a character in the description', { description: '\ud800' }],
    ['an unknown category', { categories: ['nonsense'] }],
    ['an unknown licence', { license_id: '???' }],
    ['no versions and no draft', { initial_versions: [] }],
    ['no summary', { summary: undefined }],
  ])('is refused with %s and leaves nothing', async (_what, given) => {
    const rows = async () =>
      (
        await database.sql`
      select (select count(*) from projects) as projects, (select count(*) from versions) as versions,
        (select count(*) from events) as events, (select count(*) from threads) as threads`
      )[0];
    const before = [await rows(), await onDisk(api.services)];
    const answer = await post(project(given), await one());
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'invalid_input' }]);
    expect([await rows(), await onDisk(api.services)]).toEqual(before);
  });
});

describe('v3 PATCH', () => {
  it('tries loader fields on every version', async () => {
    const owner = await build.user(database.sql);
    const made = await build.project(database.sql, { owner });
    await build.version(database.sql, made, { loaders: ['fabric'] });
    await build.version(database.sql, made, { loaders: ['paper'], environment: 'unknown' });
    await build.version(database.sql, made, { loaders: ['mrpack'], mrpack_loaders: ['forge'] });
    const patch = async (json: unknown) =>
      (
        await api.call('PATCH', `/v3/project/${made.id}`, {
          token: await build.token(database.sql, owner),
          json,
        })
      ).status;
    const fields = { environment: 'server_only', game_versions: ['1.19.2'], mrpack_loaders: ['quilt'] };
    expect(await patch({ ...fields, side_types_migration_review_status: 'reviewed' })).toBe(204);
    const rows = await database.sql`
      select loaders[1] as loader, environment, game_versions[1] as game, mrpack_loaders from versions
      where project_id = ${made.id} order by 1`;
    expect(rows.map((row) => ({ ...row }))).toEqual([
      { loader: 'fabric', environment: 'server_only', game: '1.19.2', mrpack_loaders: [] },
      { loader: 'mrpack', environment: 'server_only', game: '1.19.2', mrpack_loaders: ['quilt'] },
      { loader: 'paper', environment: 'unknown', game: '1.19.2', mrpack_loaders: [] },
    ]);
    expect(await patch({ game_versions: ['nonsense'] })).toBe(400);
    expect(await patch({ mrpack_loaders: ['nonsense'] })).toBe(400);
    expect(await patch({ side_types_migration_review_status: 'maybe' })).toBe(400);
  });
});

it('gives random projects of a type', async () => {
  const made = await build.project(database.sql);
  await build.version(database.sql, made, { loaders: ['iris'], environment: 'unknown' });
  const read = async (query: string) => await api.call('GET', `/v3/projects_random?${query}`);
  const found = (await (await read('count=100&project_type=shader')).json()) as Array<{ id: string }>;
  expect(found.map(({ id }) => id)).toEqual([made.id]);
  expect((await read('count=0')).status).toBe(400);
  expect((await read('count=1&project_type=x')).status).toBe(400);
});

it('gives the dependencies with v3 shapes', async () => {
  const library = await build.project(database.sql);
  const needed = await build.version(database.sql, library);
  const made = await build.project(database.sql);
  await build.version(database.sql, made, {
    dependencies: [{ project_id: library.id, dependency_version_id: needed.id }],
  });
  const answer = await api.call('GET', `/v3/project/${made.id}/dependencies`);
  expect(await answer.json()).toMatchObject({
    projects: [{ id: library.id, team_id: library.team, environment: ['client_and_server'] }],
    versions: [{ id: needed.id, environment: 'client_and_server', loaders: ['fabric'] }],
  });
  expect((await api.call('GET', '/v3/project/unknown-one/dependencies')).status).toBe(404);
});
