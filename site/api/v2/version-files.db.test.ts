import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Version } from '#db/catalogue/versions/shape.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';
import { callers, form, jar, type Kind, onDisk, publish } from '../../testing/versions.ts';

const database = testDatabase();
const api = testApi(database);

const hashes = () => ({ sha1: randomBytes(20).toString('hex'), sha512: randomBytes(64).toString('hex') });
const on = (day: number) => ({ date_published: new Date(Date.UTC(2024, 0, day)) });
const get = async (path: string) => await api.call('GET', `/v2/version_file/${path}`);
const post = async (path: string, json: unknown, token?: string) =>
  await api.call('POST', `/v2/${path}`, { json, ...(token ? { token } : {}) });
const idOf = async (answer: Response) => ((await answer.json()) as Version).id;

describe('one file', () => {
  const file = hashes();
  let older: build.BuiltVersion;
  let newer: build.BuiltVersion;
  beforeAll(async () => {
    const project = await build.project(database.sql);
    newer = await build.version(database.sql, project, {
      ...on(5),
      files: [{ ...file, filename: 'a b.jar' }],
    });
    older = await build.version(database.sql, project, { ...on(2), files: [{}, file] });
    await build.version(database.sql, project, { ...on(1), status: 'draft', files: [file] });
  });

  test.each([
    ['its sha1', () => file.sha1, 'older'],
    ['its sha512', () => file.sha512, 'older'],
    ['upper case', () => file.sha1.toUpperCase(), 'older'],
    ['the algorithm named', () => `${file.sha1}?algorithm=sha1`, 'older'],
    ['a version picked', () => `${file.sha1}?version_id=${newer.id}`, 'newer'],
    ['a field of old documents', () => `${file.sha512}?algorithm=sha512&multiple=false`, 'older'],
  ])('by %s: the oldest visible version', async (_, path, which) => {
    expect(await idOf(await get(path()))).toBe(which === 'older' ? older.id : newer.id);
  });

  test.each([
    ['an unknown hash', () => hashes().sha1, 404],
    ['what is no hash', () => 'hello', 404],
    ['the wrong algorithm', () => `${file.sha1}?algorithm=sha512`, 404],
    ['a version without the file', () => `${file.sha1}?version_id=zzzzzzzz`, 404],
    ['an unknown algorithm', () => `${file.sha1}?algorithm=md5`, 400],
  ])('%s: %s', async (_, path, status) => {
    expect((await get(path())).status).toBe(status);
    const [hash, query = ''] = path().split('?');
    expect((await get(`${hash}/download?${query}`)).status).toBe(status);
  });

  test('download redirects to the file with 307 and has the address in JSON', async () => {
    const answer = await get(`${file.sha1}/download?version_id=${newer.id}`);
    const url = `http://localhost:4321/data/${newer.project_id}/versions/${newer.id}/a%20b.jar`;
    expect([answer.status, answer.headers.get('location'), await answer.json()]).toEqual([307, url, { url }]);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });
});

describe('many files', () => {
  test('by hash as sent: unknown ones are left out, sha1 and sha512 may be mixed', async () => {
    const project = await build.project(database.sql);
    const one = await build.version(database.sql, project);
    const two = await build.version(database.sql, project);
    const [a, b] = [one.files[0]!.sha1, two.files[0]!.sha512];
    const request = async (json: unknown) => await (await post('version_files', json)).json();
    const both = (await request({ hashes: [a, b, hashes().sha1, 'x', a.toUpperCase()] })) as Record<
      string,
      Version
    >;
    expect(Object.fromEntries(Object.entries(both).map(([hash, { id }]) => [hash, id]))).toEqual({
      [a]: one.id,
      [b]: two.id,
      [a.toUpperCase()]: one.id,
    });
    expect(Object.keys((await request({ algorithm: 'sha512', hashes: [a, b] })) as object)).toEqual([b]);
    expect(await request({ hashes: [] })).toEqual({});
    const projects = (await (await post('version_file/project', { hashes: [a, b] })).json()) as Record<
      string,
      { id: string }
    >;
    expect(Object.values(projects).map(({ id }) => id)).toEqual([project.id, project.id]);
  });

  test.each([
    ['version_files', {}],
    ['version_files', { hashes: 'x' }],
    ['version_files', { hashes: [1] }],
    ['version_files', { hashes: ['a'], algorithm: 'md5' }],
    ['version_files', { hashes: Array(4097).fill('a') }],
    ['version_files/update', { hashes: ['a'], version_types: ['final'] }],
    ['version_files/update_individual', { hashes: ['a'] }],
    [`version_file/${'a'.repeat(40)}/update`, []],
    ['version_file/project', 'text'],
  ])('%s with %j: 400', async (path, json) => {
    const answer = await post(path, json);
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'request_error' }]);
  });
});

describe('updates', () => {
  const file = hashes();
  let ids: Record<string, string>;
  beforeAll(async () => {
    const project = await build.project(database.sql);
    const make = async (given: build.GivenVersion) => (await build.version(database.sql, project, given)).id;
    ids = {
      held: await make({ ...on(1), files: [file] }),
      'held again': await make({ ...on(2), files: [file], loaders: ['quilt'] }),
      forge: await make({ ...on(3), loaders: ['forge'], game_versions: ['1.21.1'] }),
      beta: await make({ ...on(4), version_type: 'beta', game_versions: ['1.20.1', '1.21.1'] }),
      pack: await make({ ...on(5), loaders: ['mrpack'], mrpack_loaders: ['neoforge'] }),
      ordered: await make({ ...on(9), ordering: 99 }),
      draft: await make({ ...on(20), status: 'draft' }),
    };
  });
  const name = (version: Version | undefined) =>
    Object.entries(ids).find(([, id]) => id === version?.id)?.[0];

  test.each([
    // filters, the single result (explicit ordering loses to none), the newest by date
    [{}, 'pack', 'ordered'],
    [{ loaders: ['fabric'] }, 'beta', 'ordered'],
    [{ loaders: ['forge', 'quilt'] }, 'forge', 'forge'],
    [{ loaders: ['neoforge'] }, 'pack', 'pack'],
    [{ game_versions: ['1.21.1'] }, 'beta', 'beta'],
    [{ game_versions: ['1.21.1'], version_types: ['release'] }, 'forge', 'forge'],
    [{ loaders: ['fabric'], version_types: ['release'] }, 'held', 'ordered'],
    [{ loaders: [], game_versions: [], version_types: null }, 'pack', 'ordered'],
    [{ loaders: ['sponge'] }, undefined, undefined],
    [{ game_versions: ['\0'] }, undefined, undefined],
    [{ loaders: ['\ud800'], game_versions: ['\udc00'] }, undefined, undefined],
  ])('%j: %s alone, %s in bulk', async (filters, alone, bulk) => {
    const one = await post(`version_file/${file.sha1}/update?algorithm=sha1`, filters);
    expect(one.status).toBe(alone ? 200 : 404);
    if (alone) expect(name((await one.json()) as Version)).toBe(alone);

    const request = async (path: string, json: unknown) =>
      await (await post(`version_files/${path}`, json)).json();
    const other = hashes().sha1;
    const all = (await request('update', { hashes: [file.sha1, other], ...filters })) as Record<
      string,
      Version
    >;
    expect(Object.keys(all)).toEqual(bulk ? [file.sha1] : []);
    expect(name(all[file.sha1])).toBe(bulk);
    const lists = (await request('update_many', {
      algorithm: 'sha1',
      hashes: [file.sha1, other],
      ...filters,
    })) as Record<string, Version[]>;
    expect((lists[file.sha1] ?? []).map(name)).toEqual(bulk ? [bulk, bulk] : []); // one for each version that contains it
    const own = (await request('update_individual', {
      hashes: [{ hash: file.sha512, ...filters }, { hash: other }],
    })) as Record<string, Version>;
    expect(Object.entries(own).map(([hash, version]) => [hash, name(version)])).toEqual(
      bulk ? [[file.sha512, bulk]] : [],
    );
  });

  test('separate filters for each hash', async () => {
    const other = await build.version(database.sql, await build.project(database.sql));
    const answer = await post('version_files/update_individual', {
      hashes: [
        { hash: file.sha1, loaders: ['forge'] },
        { hash: other.files[0]!.sha1, loaders: ['forge'] },
      ],
    });
    expect(Object.values((await answer.json()) as Record<string, Version>).map(({ id }) => id)).toEqual([
      ids.forge,
    ]);
  });

  test('a hidden project gives nothing to others; members get its listed versions one by one, never a draft', async () => {
    const project = await build.project(database.sql, { status: 'draft' });
    const version = await build.version(database.sql, project, on(1));
    await build.version(database.sql, project, { ...on(2), status: 'draft' });
    const token = await build.token(database.sql, project.owner);
    const hash = version.files[0]!.sha1;
    const path = `version_file/${hash}/update`;
    expect((await post(path, {})).status).toBe(404);
    expect(await idOf(await post(path, {}, token))).toBe(version.id);
    for (const [bulk, json] of [
      ['update', { hashes: [hash] }],
      ['update_many', { hashes: [hash] }],
      ['update_individual', { hashes: [{ hash }] }],
    ] as const) {
      expect(await (await post(`version_files/${bulk}`, json)).json(), bulk).toEqual({});
    }
    const own = await post('version_files/update_individual', { hashes: [{ hash }] }, token);
    expect(Object.keys((await own.json()) as object)).toEqual([hash]);
  });
});

describe('deleting a file by its hash', () => {
  let project: build.BuiltProject;
  let tokens: Record<Kind, string | undefined>;
  beforeAll(async () => {
    const organization = await build.organization(database.sql);
    project = await build.project(database.sql, { organization });
    tokens = await callers(database.sql, project, organization, ['VERSION_WRITE']);
  });

  test.each<[Kind, number]>([
    ['visitor', 401],
    ['stranger', 401],
    ['pending', 401],
    ['powerless', 401],
    ['uploader', 401],
    ['deleter', 204],
    ['organization uploader', 401],
    ['moderator', 401],
    ['admin', 204],
    ['owner without the scope', 401],
  ])('%s: %i', async (kind, status) => {
    const version = await publish(api, tokens.admin!, project.id);
    await api.call('POST', `/v2/version/${version.id}/file`, {
      token: tokens.admin!,
      body: form({}, { more: ['more.jar', await jar(`more ${kind}`)] }),
    });
    const disk = await onDisk(api.services);
    const answer = await api.call('DELETE', `/v2/version_file/${version.files[0]!.hashes.sha1}`, {
      ...(tokens[kind] ? { token: tokens[kind] } : {}),
    });
    expect(answer.status).toBe(status);
    const { files } = (await (await api.call('GET', `/v2/version/${version.id}`)).json()) as Version;
    const stored = files.map(({ filename, primary }) => [filename, primary]);
    const removed = `data/${project.id}/versions/${version.id}/${version.files[0]!.filename}`;
    if (status === 204) {
      expect(stored).toEqual([['more.jar', true]]);
      expect(await onDisk(api.services)).toEqual(disk.filter((key) => key !== removed));
    } else {
      expect(stored).toHaveLength(2);
      expect(await onDisk(api.services)).toEqual(disk);
    }
  });

  test('the next primary file is one for players, not the signature of the old one', async () => {
    const version = await publish(api, tokens.admin!, project.id);
    const data = { file_types: { sig: 'signature' } };
    const files = {
      sig: ['a.jar.asc', Buffer.from('signed')],
      more: ['more.jar', await jar('primary')],
    } as const;
    const path = `/v2/version/${version.id}`;
    await api.call('POST', `${path}/file`, { token: tokens.admin!, body: form(data, files) });
    await api.call('DELETE', `/v2/version_file/${version.files[0]!.hashes.sha1}`, { token: tokens.admin! });
    const left = ((await (await api.call('GET', path)).json()) as Version).files;
    expect(left.map(({ filename, primary }) => [filename, primary])).toEqual([
      ['more.jar', true],
      ['a.jar.asc', false],
    ]);
  });

  test('the last file cannot be deleted: 400; an unknown one: 404', async () => {
    const { id, files } = await publish(api, tokens.admin!, project.id);
    const remove = async (hash: string) =>
      (await api.call('DELETE', `/v2/version_file/${hash}`, { token: tokens.admin! })).status;
    expect(await remove(files[0]!.hashes.sha512)).toBe(400);
    expect(await remove(hashes().sha1)).toBe(404);
    expect((await api.call('GET', `/v2/version/${id}`)).status).toBe(200);
  });
});
