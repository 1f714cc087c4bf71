import { beforeAll, describe, expect, test } from 'vitest';
import { projectUpdatesConsumer } from '#db/catalogue/follows/project-updates.ts';
import type { Version } from '#db/catalogue/versions/shape.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';
import { dataOf, form, jar, onDisk, publish as publishAs } from '../../testing/versions.ts';

const database = testDatabase();
const api = testApi(database);

let project: build.BuiltProject;
let owner: string;
let uploader: string;
let moderator: string;

beforeAll(async () => {
  const { sql } = database;
  project = await build.project(sql);
  owner = await build.token(sql, project.owner);
  moderator = await build.token(sql, await build.user(sql, { role: 'moderator' }));
  const user = await build.user(sql);
  await build.member(sql, project.team, user, { permissions: 1 });
  uploader = await build.token(sql, user);
});

const publish = async (given: { project_id?: string } & Record<string, unknown> = {}) =>
  await publishAs(api, owner, given.project_id ?? project.id, given);

describe('editing', () => {
  const patch = async (id: string, json: unknown, token = owner) =>
    (await api.call('PATCH', `/v2/version/${id}`, { token, json })).status;
  const read = async (id: string) => (await (await api.call('GET', `/v2/version/${id}`)).json()) as Version;

  test('tells followers of a draft once it is listed, and only once', async () => {
    const { sql } = database;
    const follower = await build.user(sql);
    await build.follow(sql, follower, project);
    const consumer = projectUpdatesConsumer(sql);
    const told = async () => {
      while ((await consumer.step()) > 0);
      const rows =
        await sql`select body ->> 'version_id' as id from notifications where user_id = ${follower.id}`;
      return rows.map(({ id }) => id);
    };
    await told();
    const draft = await publish({ status: 'draft' });
    const open = await publish();
    expect(await told()).toEqual([open.id]);
    for (const status of ['unlisted', 'draft', 'listed']) {
      expect(await told()).toEqual([open.id]);
      expect(await patch(draft.id, { status })).toBe(204);
    }
    expect((await told()).sort()).toEqual([draft.id, open.id].sort());
    await sql`delete from notifications where user_id = ${follower.id}`; // as the follower may
    for (const { id } of [draft, open]) {
      expect(await patch(id, { status: 'draft' })).toBe(204);
      expect(await patch(id, { status: 'listed' })).toBe(204);
    }
    expect(await told()).toEqual([]);
  });

  test('changes the given fields and keeps the rest, file addresses included', async () => {
    const before = await publish();
    const target = await build.version(database.sql, await build.project(database.sql));
    const change = {
      name: 'Renamed',
      version_number: '9.9.9',
      changelog: 'other',
      version_type: 'alpha',
      game_versions: ['1.21.1', '1.20.1'],
      loaders: ['quilt'],
      featured: true,
      status: 'archived',
    };
    const dependency = { dependency_type: 'embedded', file_name: 'kept.jar' };
    const file_types = [{ algorithm: 'sha1', hash: before.files[0]!.hashes.sha1, file_type: 'dev-jar' }];
    const dependencies = [dependency, { version_id: target.id, dependency_type: 'required' }];
    expect(
      await patch(before.id, {
        ...change,
        dependencies,
        file_types,
        unknown_field: 1,
        primary_file: ['sha1', 'x'],
      }),
    ).toBe(204);
    const after = await read(before.id);
    expect(after).toMatchObject({
      ...change,
      game_versions: ['1.20.1', '1.21.1'],
      date_published: before.date_published,
    });
    expect(after.files[0]).toMatchObject({ url: before.files[0]!.url, file_type: 'dev-jar' });
    expect(after.dependencies).toEqual([
      { version_id: null, project_id: null, ...dependency },
      { version_id: target.id, project_id: target.project_id, file_name: null, dependency_type: 'required' },
    ]);
    expect(await patch(before.id, {})).toBe(204);
    expect(await read(before.id)).toEqual(after);
    const [row] = await database.sql`select changelog_html from versions where id = ${before.id}`;
    expect(row!.changelog_html).toContain('other');
  });

  test('a hidden version leaves the aggregated columns of its project', async () => {
    const alone = await build.project(database.sql, { owner: project.owner });
    const { id } = await publish({ project_id: alone.id });
    const fold = async () =>
      (
        await database.sql`select loaders, updated = published as never from projects where id = ${alone.id}`
      )[0];
    expect(await fold()).toEqual({ loaders: ['fabric'], never: false });
    await patch(id, { status: 'draft' });
    expect(await fold()).toEqual({ loaders: [], never: true });
  });

  test('download counts are for moderators and shift the total of the project', async () => {
    const { id } = await publish();
    const total = async () =>
      (await database.sql`select downloads from projects where id = ${project.id}`)[0]!.downloads;
    expect(await patch(id, { downloads: 7 }, uploader)).toBe(401);
    await patch(id, { downloads: 10 }, moderator);
    const before = await total();
    expect(await patch(id, { downloads: 4 }, moderator)).toBe(204);
    expect([(await read(id)).downloads, await total()]).toEqual([4, before - 6]);
  });

  test.each([
    ['a status nobody may set', { status: 'scheduled' }],
    ['an unknown loader', { loaders: ['fabrik'] }],
    ['no loader', { loaders: [] }],
    ['mrpack on something that is no modpack', { loaders: ['mrpack'] }],
    ['an unknown game version', { game_versions: ['1.20.999'] }],
    ['a blank name', { name: '   ' }],
    ['a long name', { name: 'x'.repeat(65) }],
    ['a version number with a space', { version_number: '1 0' }],
    ['an unknown type', { version_type: 'final' }],
    [
      'a file the version does not have',
      { file_types: [{ algorithm: 'sha1', hash: '0'.repeat(40), file_type: null }] },
    ],
    [
      'a dependency on nothing that exists',
      { dependencies: [{ project_id: 'zzzzzzzz', dependency_type: 'required' }] },
    ],
    ['a dependency twice', { dependencies: Array(2).fill({ file_name: 'a', dependency_type: 'required' }) }],
    ['text with U+0000', { changelog: 'a\0b' }],
    ['a field of the wrong type', { featured: 'yes' }],
  ])('%s: 400, and nothing changes', async (_, json) => {
    const { id } = await publish();
    const before = await read(id);
    const answer = await api.call('PATCH', `/v2/version/${id}`, {
      token: owner,
      json: { featured: true, ...json },
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: 'request_error', description: expect.any(String) });
    expect(await read(id)).toEqual(before);
  });

  test('a version that does not exist: 404 with an empty body; an invalid id: 400', async () => {
    const answer = await api.call('PATCH', '/v2/version/AABBCCDD', { token: owner, json: {} });
    expect([answer.status, await answer.text()]).toEqual([404, '']);
    expect(await patch('not-an-id', {})).toBe(400);
  });
});

describe('adding files', () => {
  test('they are never primary, may at most cause a warning, and have the given types', async () => {
    const { id } = await publish();
    const answer = await api.call('POST', `/v2/version/${id}/file`, {
      token: owner,
      body: form(
        { file_types: { s: 'sources-jar' } },
        { s: ['0-sources.jar', await jar('sources')], t: ['t.zip', await jar('t')] },
      ),
    });
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    const { files } = (await (await api.call('GET', `/v2/version/${id}`)).json()) as Version;
    expect(files.map(({ filename, primary, file_type }) => [filename, primary, file_type])).toEqual([
      [expect.stringMatching(/^file-/), true, null],
      ['0-sources.jar', false, 'sources-jar'],
      ['t.zip', false, null],
    ]);
  });

  test.each([
    ['none', {}, async () => ({})],
    [
      'a name the version has',
      {},
      async (v: Version) => ({ a: [v.files[0]!.filename, await jar('new bytes')] as const }),
    ],
    [
      'a name twice',
      {},
      async () => ({ a: ['a.jar', await jar('a1')], b: ['a.jar', await jar('a2')] }) as const,
    ],
    [
      'bytes twice',
      {},
      async () => ({ a: ['a.jar', await jar('same')], b: ['b.jar', await jar('same')] }) as const,
    ],
    ['no archive', {}, async () => ({ a: ['a.jar', Buffer.from('text')] }) as const],
    [
      'a type for a part that did not come',
      { file_types: { x: null } },
      async () => ({ a: ['a.jar', await jar('t3')] }) as const,
    ],
    [
      'an unknown type',
      { file_types: { a: 'nice' } },
      async () => ({ a: ['a.jar', await jar('t4')] }) as const,
    ],
  ])('%s: 400, and nothing is stored', async (_, data, files) => {
    const version = await publish();
    const disk = await onDisk(api.services);
    const answer = await api.call('POST', `/v2/version/${version.id}/file`, {
      token: owner,
      body: form(data, await files(version)),
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: 'invalid_input' });
    const read = (await (await api.call('GET', `/v2/version/${version.id}`)).json()) as Version;
    expect(read.files).toHaveLength(1);
    expect(await onDisk(api.services)).toEqual(disk);
  });

  test('to a version that does not exist: 400', async () => {
    const answer = await api.call('POST', '/v2/version/AABBCCDD/file', {
      token: owner,
      body: form({}, { a: ['a.jar', await jar('nowhere')] }),
    });
    expect(answer.status).toBe(400);
  });

  test('an object left at the same key by a crash is replaced', async () => {
    const { id } = await publish();
    const key = `data/${project.id}/versions/${id}/left.jar`;
    await api.services.storage.putBytes(key, Buffer.from('half'));
    const bytes = await jar('left');
    await api.call('POST', `/v2/version/${id}/file`, {
      token: owner,
      body: form({}, { a: ['left.jar', bytes] }),
    });
    expect((await api.services.storage.head(key))!.size).toBe(bytes.length);
  });
});

test('after a deletion dependents depend on the project, hashes are free and the aggregates are updated', async () => {
  const elsewhere = await build.project(database.sql, { owner: project.owner });
  const bytes = await jar('to be freed');
  const send = async (project_id: string) =>
    await api.call('POST', '/v2/version', {
      token: owner,
      body: form(dataOf(project_id), { file: ['f.jar', bytes] }),
    });
  const removed = (await (await send(project.id)).json()) as Version;
  const dependent = await publish({
    dependencies: [{ version_id: removed.id, dependency_type: 'required' }],
  });
  expect((await send(elsewhere.id)).status).toBe(400);
  await api.call('DELETE', `/v2/version/${removed.id}`, { token: owner });
  const { dependencies } = (await (await api.call('GET', `/v2/version/${dependent.id}`)).json()) as Version;
  expect(dependencies).toEqual([
    { version_id: null, project_id: project.id, file_name: null, dependency_type: 'required' },
  ]);
  expect((await send(elsewhere.id)).status).toBe(200);
});
