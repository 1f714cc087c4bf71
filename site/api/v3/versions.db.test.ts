import { beforeAll, describe, expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { zipOf } from '#db/testing/zips.ts';
import { testApi } from '../../testing/api.ts';
import { callers, form, jar, type Kind, onDisk } from '../../testing/versions.ts';

const database = testDatabase();
const api = testApi(database);

let project: build.BuiltProject;
let tokens: Record<Kind, string | undefined>;
let token: string;

beforeAll(async () => {
  const organization = await build.organization(database.sql);
  project = await build.project(database.sql, { organization });
  tokens = await callers(database.sql, project, organization, [
    'VERSION_CREATE',
    'VERSION_WRITE',
    'VERSION_DELETE',
  ]);
  token = tokens.admin!;
});

const data = (given: Record<string, unknown> = {}) => ({
  project_id: project.id,
  file_parts: ['file'],
  version_number: '1.0.0',
  name: 'First',
  dependencies: [],
  game_versions: ['1.20.1'],
  version_type: 'release',
  loaders: ['fabric'],
  environment: 'client_and_server',
  featured: false,
  ...given,
});
let marks = 0;
const send = async (given: Record<string, unknown> = {}, as: string | undefined = token, filename?: string) =>
  await api.call('POST', '/v3/version', {
    ...(as ? { token: as } : {}),
    body: form(data(given), { file: [filename ?? `v3-${marks}.jar`, await jar(`v3 ${marks++}`)] }),
  });
type Json = Record<string, unknown> & { id: string; files: Array<Record<string, unknown>> };
const publish = async (given: Record<string, unknown> = {}): Promise<Json> => {
  const answer = await send(given);
  if (answer.status !== 200) throw new Error(await answer.text());
  return (await answer.json()) as Json;
};
const get = async (path: string, as?: string) =>
  await api.call('GET', `/v3/${path}`, as === undefined ? {} : { token: as });
const json = async (path: string, as?: string) => (await (await get(path, as)).json()) as Json;
const ids = async (path: string) => ((await (await get(path)).json()) as Json[]).map(({ id }) => id);
const pack = async (index: object = {}) =>
  await zipOf({
    'modrinth.index.json': JSON.stringify({
      game: 'minecraft',
      formatVersion: 1,
      versionId: `v ${marks++}`,
      name: 'Pack',
      files: [],
      dependencies: { minecraft: '1.20.1' },
      ...index,
    }),
    'overrides/options.txt': 'x',
  });

const state = async () => {
  const [rows] = await database.sql`
    select (select count(*) from versions) as versions, (select count(*) from files) as files,
      (select count(*) from dependencies) as dependencies, (select count(*) from events) as events`;
  return { rows, disk: await onDisk(api.services) };
};

describe('the shape of a version', () => {
  test('has v3 names, stored loaders and their fields', async () => {
    const made = await publish({ changelog: 'News', ordering: 3 });
    expect(made.files[0]).not.toHaveProperty('id');
    const read = await json(`version/${made.id}`);
    expect(read).toMatchObject({
      id: made.id,
      project_id: project.id,
      name: 'First',
      changelog: 'News',
      project_types: ['mod'],
      games: ['minecraft-java'],
      loaders: ['fabric'],
      game_versions: ['1.20.1'],
      environment: 'client_and_server',
      ordering: 3,
      minecraft_java_server: null,
      files: [{ id: expect.any(String), primary: true }],
    });
    for (const absent of ['changelog_url', 'mrpack_loaders', 'files_missing_attribution'])
      expect(read).not.toHaveProperty(absent);
    const { files: _, ...rest } = made;
    expect(read).toMatchObject(rest);
  });

  test('of a modpack that is hidden says to its members which files nobody answers for', async () => {
    const { sql } = database;
    const body = form(data({ loaders: ['mrpack'], mrpack_loaders: ['fabric'] }), {
      file: ['foreign.mrpack', await pack()],
    });
    const { id } = (await (await api.call('POST', '/v3/version', { token, body })).json()) as Json;
    const [file] = await sql`select id from files where version_id = ${id}`;
    const sha1 = 'ab'.repeat(20);
    await sql`insert into pack_files values (${file!.id}, ${sha1}, 'overrides/mods/foreign.jar')`;
    await sql`update versions set status = 'draft', held_for = '{attribution}', held = now(), held_status = 'listed' where id = ${id}`;
    expect((await api.call('GET', `/v3/version/${id}`)).status).toBe(404);
    const missing = async (path: string) =>
      ((await (await api.call('GET', `${path}/version/${id}`, { token })).json()) as Json)
        .files_missing_attribution;
    expect(await missing('/v3')).toEqual([{ id: file!.id, override_source: { type: 'unknown' } }]);
    expect(await missing('/v2')).toBeUndefined();
    await sql`
      insert into external_projects (id, title, status, link, flame_project_id, inserted_at, updated_at)
      values ('FlameOne', 'A work', 'unidentified', 'https://work.test/', 4711, now(), now())`;
    await sql`insert into external_files values (${sha1}, 'FlameOne', 'foreign.jar')`;
    expect(await missing('/v3')).toEqual([
      {
        id: file!.id,
        override_source: {
          ...{ type: 'flame', id: 4711, title: 'A work', url: 'https://work.test/' },
          icon_url: null,
        },
      },
    ]);
  });

  test('of a modpack has the loader mrpack; v2 shows its own loaders', async () => {
    const body = form(data({ loaders: ['mrpack'], mrpack_loaders: ['fabric'] }), {
      file: ['pack.mrpack', await pack()],
    });
    const made = (await (await api.call('POST', '/v3/version', { token, body })).json()) as Json;
    expect(made).toMatchObject({
      loaders: ['mrpack'],
      mrpack_loaders: ['fabric'],
      project_types: ['modpack'],
    });
    const v2 = (await (await api.call('GET', `/v2/version/${made.id}`)).json()) as Json;
    expect(v2.loaders).toEqual(['fabric']);
  });

  test('of a plugin has no environment', async () => {
    const body = form(data({ loaders: ['paper'], environment: undefined }), {
      file: ['plugin.jar', await zipOf({ 'plugin.yml': `name: x${marks++}` })],
    });
    const made = (await (await api.call('POST', '/v3/version', { token, body })).json()) as Json;
    expect(made).not.toHaveProperty('environment');
    expect(made).toMatchObject({ loaders: ['paper'], project_types: ['plugin'] });
  });
});

describe('a refused create leaves nothing', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['an unknown field', { flavour: 'sweet' }, 'flavour: is not a field'],
    ['no environment', { environment: undefined }, 'environment: is needed'],
    ['pack loaders without mrpack', { mrpack_loaders: ['fabric'] }, 'mrpack_loaders: is not a field'],
    ['an unknown loader', { loaders: ['sugar'], environment: undefined }, 'Unknown loader sugar'],
    ['an unknown game version', { game_versions: ['9.9.9'] }, 'Unknown game version 9.9.9'],
    ['a missing part', { file_parts: ['file', 'other'] }, 'The part other'],
    ['a lone surrogate', { name: '\ud800' }, 'surrogates'],
    ['NUL', { name: 'a\0b' }, 'U+0000'],
    ['a project that does not exist', { project_id: 'zzzzzzzz' }, 'project'],
  ])('%s', async (_, given, text) => {
    const before = await state();
    const answer = await send(given);
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { error: 'invalid_input', description: expect.stringContaining(text) },
    ]);
    expect(await state()).toEqual(before);
  });

  test('a pack under the name of a mod, and a mod under the name of a pack', async () => {
    const before = await state();
    const wrong = await send({}, token, 'pack.mrpack');
    expect(await wrong.json()).toMatchObject({ details: { code: 'loader_extension_wrong' } });
    const mod = await send({ loaders: ['mrpack'], mrpack_loaders: ['fabric'] });
    expect(await mod.json()).toMatchObject({ details: { code: 'loader_extension_wrong' } });
    expect(await state()).toEqual(before);
  });
});

const rights: Array<[Kind, number, number]> = [
  ['visitor', 401, 401],
  ['stranger', 401, 401],
  ['pending', 401, 401],
  ['powerless', 401, 401],
  ['uploader', 204, 401],
  ['deleter', 401, 204],
  ['organization uploader', 204, 401],
  ['moderator', 204, 401],
  ['admin', 204, 204],
  ['owner without the scope', 401, 401],
];
test.each(rights)('%s publishes, edits and adds files: %i, deletes: %i', async (kind, writes, deletes) => {
  const { id } = await publish({ version_number: `0-${kind.replaceAll(' ', '-')}` });
  const who = tokens[kind] === undefined ? {} : { token: tokens[kind] };
  const created = await api.call('POST', '/v3/version', {
    ...who,
    body: form(data(), { file: [`who-${marks}.jar`, await jar(`who ${marks++}`)] }),
  });
  expect(created.status).toBe(writes === 204 ? 200 : 401);
  expect((await api.call('PATCH', `/v3/version/${id}`, { ...who, json: { name: 'After' } })).status).toBe(
    writes,
  );
  const added = await api.call('POST', `/v3/version/${id}/file`, {
    ...who,
    body: form({}, { more: ['more.jar', await jar(`more ${marks++}`)] }),
  });
  expect(added.status).toBe(writes);
  expect((await api.call('DELETE', `/v3/version/${id}`, who)).status).toBe(deletes);
  expect((await get(`version/${id}`)).status).toBe(deletes === 204 ? 410 : 200);
});

describe('editing', () => {
  const patch = async (id: string, body: unknown) =>
    await api.call('PATCH', `/v3/version/${id}`, { token, json: body });

  test('changes loader fields, and the ordering both ways', async () => {
    const { id } = await publish({ ordering: 1 });
    const change = {
      name: 'Second',
      version_type: 'beta',
      featured: true,
      game_versions: ['1.20.1', '1.21.1'],
      loaders: ['fabric', 'quilt'],
      environment: 'client_only',
      ordering: 7,
    };
    expect((await patch(id, change)).status).toBe(204);
    expect(await json(`version/${id}`)).toMatchObject(change);
    expect((await patch(id, { ordering: null })).status).toBe(204);
    expect((await json(`version/${id}`)).ordering).toBeNull();
    expect((await patch(id, {})).status).toBe(204);
    expect(await json(`version/${id}`)).toMatchObject({ ...change, ordering: null });
  });

  test('turns a mod into a pack and back', async () => {
    const { id } = await publish();
    expect((await patch(id, { loaders: ['mrpack'], mrpack_loaders: ['forge'] })).status).toBe(204);
    expect(await json(`version/${id}`)).toMatchObject({ loaders: ['mrpack'], mrpack_loaders: ['forge'] });
    expect((await patch(id, { loaders: ['fabric'] })).status).toBe(204);
    const [row] = await database.sql`select loaders, mrpack_loaders from versions where id = ${id}`;
    expect(row).toEqual({ loaders: ['fabric'], mrpack_loaders: [] });
  });

  test.each<[string, unknown, string]>([
    ['an unknown field', { flavour: 'sweet' }, 'invalid_input'],
    ['a field of v2', { client_side: 'required' }, 'invalid_input'],
    ['pack loaders of a mod', { mrpack_loaders: ['fabric'] }, 'loader_field_unknown'],
    [
      'an environment for plugins',
      { loaders: ['paper'], environment: 'client_only' },
      'loader_field_unknown',
    ],
    ['an unknown loader', { loaders: ['sugar'] }, 'loader_unknown'],
    ['a pack with other loaders', { loaders: ['mrpack', 'fabric'] }, 'loader_unknown'],
    ['an unknown game version', { game_versions: ['9.9.9'] }, 'game_version_unknown'],
    ['a status that is not settable', { status: 'scheduled' }, 'invalid_input'],
    ['an ordering that is no number', { ordering: '1' }, 'invalid_input'],
    ['a list', [], 'invalid_input'],
  ])('is refused with %s, and changes nothing', async (_, body, code) => {
    const { id } = await publish();
    const before = [await state(), await json(`version/${id}`)];
    const answer = await patch(id, body);
    expect([answer.status, await answer.json()]).toMatchObject([400, { details: { code } }]);
    expect([await state(), await json(`version/${id}`)]).toEqual(before);
  });

  test('of an unknown version is 404 with a body, its deletion 400', async () => {
    const missing = await patch('zzzzzzzz', { name: 'x' });
    expect([missing.status, await missing.json()]).toMatchObject([404, { error: 'not_found' }]);
    expect((await api.call('DELETE', '/v3/version/zzzzzzzz', { token })).status).toBe(400);
  });
});

describe('additional files by type', () => {
  const add = async (id: string, filename: string, bytes: Buffer, file_type: string | null) =>
    await api.call('POST', `/v3/version/${id}/file`, {
      token,
      body: form({ file_types: { more: file_type } }, { more: [filename, bytes] }),
    });
  const zip = async (content: Record<string, string>) => await zipOf({ ...content, mark: String(marks++) });

  test.each<[string, string, string | null, Record<string, string> | string, string]>([
    ['a pack for the client', 'r.zip', 'required-resource-pack', { 'pack.mcmeta': '{}' }, '204'],
    ['sources', 's.jar', 'sources-jar', { 'a.java': '' }, '204'],
    ['a signature', 's.asc', 'signature', 'signature', '204'],
    ['a jar as a signature', 's.jar', 'signature', { x: '' }, 'signature_type_invalid'],
    ['what is no archive', 's.jar', 'dev-jar', 'not a zip', 'archive_unreadable'],
    ['a reserved name', 'nul.jar', null, { x: '' }, 'file_name_invalid'],
    ['an unknown type', 's.jar', 'poster', { x: '' }, 'invalid_input'],
    ['an extension of another kind', 's.exe', null, { x: '' }, 'file_type_unsupported'],
    ['a pack with the extension of packs', 's.mrpack', null, { x: '' }, 'loader_extension_wrong'],
  ])('%s: %s as %s', async (_, filename, type, content, expected) => {
    const { id } = await publish();
    const bytes = typeof content === 'string' ? Buffer.from(`${content} ${marks++}`) : await zip(content);
    const before = await state();
    const answer = await add(id, filename, bytes, type);
    if (expected === '204') {
      expect(answer.status).toBe(204);
      expect((await json(`version/${id}`)).files[1]).toMatchObject({
        filename,
        file_type: type,
        primary: false,
      });
    } else {
      expect([answer.status, await answer.json()]).toMatchObject([400, { details: { code: expected } }]);
      expect(await state()).toEqual(before);
    }
  });

  test('a name that the version already has, and a file of another project', async () => {
    const made = await publish();
    const before = await state();
    const name = made.files[0]!.filename as string;
    const again = await add(made.id, name, await jar(`again ${marks++}`), null);
    expect(await again.json()).toMatchObject({ details: { code: 'file_name_repeated' } });
    const other = await build.project(database.sql);
    const bytes = await jar('of v3 both');
    expect((await add(made.id, 'mine.jar', bytes, null)).status).toBe(204);
    const elsewhere = await api.call('POST', '/v3/version', {
      token,
      body: form(data({ project_id: other.id }), { file: ['theirs.jar', bytes] }),
    });
    expect(await elsewhere.json()).toMatchObject({ details: { code: 'file_duplicate' } });
    expect((await state()).rows!.versions).toEqual(before.rows!.versions);
  });
});

describe('lists', () => {
  let listed: build.BuiltProject;
  const at = (day: number) => ({ date_published: new Date(Date.UTC(2024, 0, day)) });
  const made: Record<string, string> = {};
  beforeAll(async () => {
    listed = await build.project(database.sql);
    const add = async (name: string, given: build.GivenVersion) => {
      made[name] = (await build.version(database.sql, listed, { name, ...given })).id;
    };
    await add('fabric', { ...at(1), environment: 'client_only' });
    await add('quilt', { ...at(2), loaders: ['quilt'], game_versions: ['1.21.1'], version_type: 'beta' });
    await add('paper', { ...at(3), loaders: ['paper'], environment: 'unknown', version_number: '3' });
    await add('pack', { ...at(4), loaders: ['mrpack'], mrpack_loaders: ['quilt'], featured: true });
    await add('draft', { ...at(5), status: 'draft' });
  });
  const named = async (query: string) => {
    const found = await ids(`project/${listed.id}/version${query}`);
    return found.map((id) => Object.keys(made).find((name) => made[name] === id));
  };
  const fields = (value: unknown) => `?loader_fields=${encodeURIComponent(JSON.stringify(value))}`;

  test.each<[string, () => string, string[]]>([
    ['everything, newest first', () => '', ['pack', 'paper', 'quilt', 'fabric']],
    ['loaders as stored', () => '?loaders=["quilt"]', ['quilt']],
    ['the loader of packs', () => '?loaders=["mrpack","paper"]', ['pack', 'paper']],
    [
      'a field of some; others pass',
      () => fields({ mrpack_loaders: ['fabric'] }),
      ['paper', 'quilt', 'fabric'],
    ],
    ['an environment', () => fields({ environment: ['client_only'] }), ['paper', 'fabric']],
    ['game versions', () => fields({ game_versions: ['1.21.1'] }), ['quilt']],
    ['an unknown field', () => fields({ flavour: ['sweet'] }), ['pack', 'paper', 'quilt', 'fabric']],
    ['fields that are no JSON', () => '?loader_fields={', ['pack', 'paper', 'quilt', 'fabric']],
    ['a type', () => '?version_type=beta', ['quilt']],
    ['featured ones', () => '?featured=true', ['pack']],
    ['a window', () => '?limit=2&offset=1', ['paper', 'quilt']],
    ['NUL', () => fields({ game_versions: ['\0', '\ud800'] }), []],
  ])('%s', async (_, query, expected) => {
    expect(await named(query())).toEqual(expected);
  });

  test('by number and by id; a draft is absent', async () => {
    expect((await json(`project/${listed.slug}/version/3`)).id).toBe(made.paper);
    expect((await json(`project/${listed.id}/version/${made.pack}`)).id).toBe(made.pack);
    for (const path of [
      `project/${listed.id}/version/${made.draft}`,
      'project/nowhere/version',
      `version/${made.draft}`,
    ]) {
      const answer = await get(path);
      expect([answer.status, await answer.json()]).toMatchObject([404, { error: 'not_found' }]);
    }
    expect((await get('version/not+an+id!')).status).toBe(400);
  });

  test('many by ids, without changelogs on request', async () => {
    const wanted = JSON.stringify([made.quilt, made.draft, 'zzzzzzzz', made.fabric]);
    const found = (await (await get(`versions?ids=${wanted}&include_changelog=false`)).json()) as Json[];
    expect(found.map(({ id }) => id)).toEqual([made.quilt, made.fabric]);
    expect(found[0]).not.toHaveProperty('changelog');
    expect((await get('versions?ids=nonsense')).status).toBe(400);
  });
});
