import { beforeAll, describe, expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';

const database = testDatabase();
const api = testApi(database);

let project: build.BuiltProject;
let mod: build.BuiltVersion;
let newer: build.BuiltVersion;
let pack: build.BuiltVersion;
let draft: build.BuiltVersion;
let withheld: build.BuiltVersion;
let token: string;
const on = (day: number) => ({ date_published: new Date(Date.UTC(2024, 0, day)) });
const sha1 = ({ files }: build.BuiltVersion) => files[0]!.sha1;

beforeAll(async () => {
  project = await build.project(database.sql);
  token = await build.token(database.sql, project.owner);
  mod = await build.version(database.sql, project, { ...on(1), environment: 'client_only' });
  newer = await build.version(database.sql, project, {
    ...on(2),
    game_versions: ['1.21.1'],
    environment: 'server_only',
    version_type: 'beta',
  });
  pack = await build.version(database.sql, project, {
    ...on(3),
    loaders: ['mrpack'],
    mrpack_loaders: ['quilt'],
  });
  draft = await build.version(database.sql, project, { ...on(4), status: 'draft' });
  const hidden = await build.project(database.sql, { status: 'rejected' });
  withheld = await build.version(database.sql, hidden);
});

type Json = Record<string, unknown> & { id: string };
const post = async (path: string, json: unknown, as?: string) =>
  await api.call('POST', `/v3/${path}`, { json, ...(as ? { token: as } : {}) });
const answered = async (answer: Promise<Response>) => (await (await answer).json()) as Record<string, Json>;

describe('one hash', () => {
  test('gives the version with v3 names, its address and a body with 404', async () => {
    const found = (await (await api.call('GET', `/v3/version_file/${sha1(pack)}`)).json()) as Json;
    expect(found).toMatchObject({ id: pack.id, loaders: ['mrpack'], mrpack_loaders: ['quilt'] });
    const download = await api.call('GET', `/v3/version_file/${sha1(pack)}/download`);
    const { url } = (await download.json()) as { url: string };
    expect([download.status, download.headers.get('location')]).toEqual([307, url]);
    for (const one of [draft, withheld])
      for (const end of ['', '/download']) {
        const missing = await api.call('GET', `/v3/version_file/${sha1(one)}${end}`);
        expect([missing.status, await missing.json()]).toMatchObject([404, { error: 'not_found' }]);
      }
    expect((await api.call('GET', `/v3/version_file/${sha1(draft)}`, { token })).status).toBe(200);
  });

  test.each<[string, unknown, () => build.BuiltVersion | null]>([
    ['nothing', {}, () => pack],
    ['a loader', { loaders: ['fabric'] }, () => newer],
    ['a type', { version_types: ['release'], loaders: ['fabric'] }, () => mod],
    ['game versions', { loaders: ['fabric'], loader_fields: { game_versions: ['1.20.1'] } }, () => mod],
    ['an environment', { loaders: ['fabric'], loader_fields: { environment: ['client_only'] } }, () => mod],
    ['pack loaders: mods lack the field', { loader_fields: { mrpack_loaders: ['forge'] } }, () => newer],
    ['an unknown field', { loader_fields: { flavour: ['sweet', 1, true] } }, () => pack],
    ['values of no version', { loaders: ['fabric'], loader_fields: { game_versions: ['9'] } }, () => null],
  ])('is updated by %s', async (_, body, expected) => {
    const answer = await post(`version_file/${sha1(mod)}/update`, body);
    expect(answer.status).toBe(expected() ? 200 : 404);
    if (expected()) expect(((await answer.json()) as Json).id).toBe(expected()!.id);
    const each = await answered(
      post('version_files/update_individual', { hashes: [{ hash: sha1(mod), ...(body as object) }] }),
    );
    expect(each[sha1(mod)]?.id).toBe(expected()?.id);
  });

  test.each<unknown>([
    { loader_fields: ['x'] },
    { loader_fields: { game_versions: 'x' } },
    { loader_fields: { game_versions: [{}] } },
    { loader_fields: Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`f${i}`, []])) },
    { loaders: 'fabric' },
    [],
    'x',
  ])('refuses the filters %j', async (body) => {
    const answer = await post(`version_file/${sha1(mod)}/update`, body);
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'request_error' }]);
  });
});

test('many hashes give versions and projects with v3 names, hidden ones left out', async () => {
  const hashes = [mod, pack, draft, withheld].map(sha1);
  const found = await answered(post('version_files', { hashes }));
  expect(Object.keys(found).sort()).toEqual([sha1(mod), sha1(pack)].sort());
  expect(found[sha1(mod)]).toMatchObject({ environment: 'client_only', project_types: ['mod'] });
  const projects = await answered(post('version_file/project', { hashes }));
  expect(projects[sha1(pack)]).toMatchObject({
    id: project.id,
    name: expect.any(String),
    team_id: project.team,
  });
  expect(Object.keys(projects)).toHaveLength(2);

  const best = await answered(post('version_files/update', { hashes, game_versions: ['1.20.1'] }));
  expect(best[sha1(mod)]).toMatchObject({ id: pack.id, mrpack_loaders: ['quilt'] });
  expect(Object.keys(best)).not.toContain(sha1(withheld));
  const every = await answered(post('version_files/update_many', { hashes, loaders: ['fabric'] }));
  expect(every[sha1(mod)]).toMatchObject([{ id: newer.id }]);
});

test('deletes a file, but never the last one', async () => {
  const made = await build.version(database.sql, project, { files: [{}, {}] });
  const remove = async (as?: string) =>
    await api.call('DELETE', `/v3/version_file/${made.files[0]!.sha1}`, as ? { token: as } : {});
  expect((await remove()).status).toBe(401);
  const stranger = await build.token(database.sql, await build.user(database.sql));
  expect((await remove(stranger)).status).toBe(401);
  expect((await remove(token)).status).toBe(204);
  expect((await remove(token)).status).toBe(404);
  const last = await api.call('DELETE', `/v3/version_file/${made.files[1]!.sha1}`, { token });
  expect([last.status, await last.json()]).toMatchObject([400, { details: { code: 'last_file' } }]);
});
