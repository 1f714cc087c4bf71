import { beforeAll, describe, expect, test } from 'vitest';
import type { Version } from '#db/catalogue/versions/shape.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';
import {
  callers,
  dataOf,
  form,
  jar,
  type Kind,
  onDisk,
  publish as publishAs,
} from '../../testing/versions.ts';

const database = testDatabase();
const api = testApi(database);

let project: build.BuiltProject;
let tokens: Record<Kind, string | undefined>;
let owner: string;

beforeAll(async () => {
  const organization = await build.organization(database.sql);
  project = await build.project(database.sql, { organization });
  tokens = await callers(database.sql, project, organization, [
    'VERSION_CREATE',
    'VERSION_WRITE',
    'VERSION_DELETE',
  ]);
  owner = tokens.admin!;
});

const calling = (kind: Kind) => (tokens[kind] === undefined ? {} : { token: tokens[kind] });

const publish = async (given: { project_id?: string } & Record<string, unknown> = {}) =>
  await publishAs(api, owner, given.project_id ?? project.id, given);

const versionsNow = async (): Promise<number> =>
  (await database.sql<Array<{ n: number }>>`select count(*)::int as n from versions`)[0]!.n;

describe('permission to publish', () => {
  test.each<[Kind, number]>([
    ['visitor', 401],
    ['stranger', 401],
    ['pending', 401],
    ['powerless', 401],
    ['uploader', 200],
    ['deleter', 401],
    ['organization uploader', 200],
    ['moderator', 200],
    ['admin', 200],
    ['owner without the scope', 401],
  ])('%s: %i', async (kind, status) => {
    const [rows, disk] = [await versionsNow(), await onDisk(api.services)];
    const answer = await api.call('POST', '/v2/version', {
      ...calling(kind),
      body: form(dataOf(project.id), { file: ['x.jar', await jar(`who ${kind}`)] }),
    });
    expect(answer.status).toBe(status);
    if (status !== 200) {
      expect(await answer.json()).toMatchObject({ error: 'unauthorized', description: expect.any(String) });
      expect([await versionsNow(), await onDisk(api.services)]).toEqual([rows, disk]);
    } else expect(await versionsNow()).toBe(rows + 1);
  });
});

describe('permission to edit and to add files', () => {
  const table: Array<[Kind, number]> = [
    ['visitor', 401],
    ['stranger', 401],
    ['pending', 401],
    ['powerless', 401],
    ['uploader', 204],
    ['deleter', 401],
    ['organization uploader', 204],
    ['moderator', 204],
    ['admin', 204],
    ['owner without the scope', 401],
  ];
  test.each(table)('%s edits: %i', async (kind, status) => {
    const { id } = await publish({ name: 'Before' });
    const answer = await api.call('PATCH', `/v2/version/${id}`, {
      ...calling(kind),
      json: { name: 'After' },
    });
    expect(answer.status).toBe(status);
    const [row] = await database.sql`select name from versions where id = ${id}`;
    expect(row!.name).toBe(status === 204 ? 'After' : 'Before');
  });
  test.each(table)('%s adds a file: %i', async (kind, status) => {
    const { id } = await publish();
    const answer = await api.call('POST', `/v2/version/${id}/file`, {
      ...calling(kind),
      body: form({}, { more: ['more.jar', await jar(`more ${kind}`)] }),
    });
    expect(answer.status).toBe(status);
    const [row] = await database.sql`select count(*)::int as n from files where version_id = ${id}`;
    expect(row!.n).toBe(status === 204 ? 2 : 1);
  });
});

describe('permission to delete', () => {
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
    const { id, files } = await publish({ version_number: `0-${kind.replaceAll(' ', '-')}` });
    const key = new URL(files[0]!.url).pathname.slice(1);
    expect((await api.call('DELETE', `/v2/version/${id}`, calling(kind))).status).toBe(status);
    const left = status === 204 ? 404 : 200;
    expect((await api.call('GET', `/v2/version/${id}`)).status).toBe(left);
    expect(await api.services.storage.head(key)).toEqual(
      left === 404 ? null : expect.objectContaining({ key }),
    );
  });

  test('a version that does not exist: 400', async () => {
    expect((await api.call('DELETE', '/v2/version/AABBCCDD', { token: owner })).status).toBe(400);
  });
});

describe('a published version', () => {
  test('answers what a later read gives, except for file ids, and its bytes are at its address', async () => {
    const bytes = await jar('whole');
    const answer = await api.call('POST', '/v2/version', {
      token: tokens.uploader!,
      body: form(
        dataOf(project.id, {
          version_number: '2.0.0+fabric',
          name: 'Änderungen 🎉',
          changelog: '# New\n\n- this',
          game_versions: ['1.20.2', '1.20.1', '1.20.2'],
          loaders: ['quilt', 'fabric'],
          version_type: 'beta',
          featured: true,
          environment: 'client_only',
          file_types: { file: null },
        }),
        { file: ['my mod [1].jar', bytes] },
      ),
    });
    const made = (await answer.json()) as Version;
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9A-Za-z]{8}$/),
      project_id: project.id,
      author_id: expect.any(String),
      featured: true,
      name: 'Änderungen 🎉',
      version_number: '2.0.0+fabric',
      changelog: '# New\n\n- this',
      changelog_url: null,
      date_published: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      downloads: 0,
      version_type: 'beta',
      status: 'listed',
      requested_status: null,
      game_versions: ['1.20.1', '1.20.2'],
      loaders: ['quilt', 'fabric'],
      environment: 'client_only',
      files: [
        {
          hashes: {
            sha1: expect.stringMatching(/^[0-9a-f]{40}$/),
            sha512: expect.stringMatching(/^[0-9a-f]{128}$/),
          },
          url: expect.stringContaining(`/data/${project.id}/versions/${made.id}/my%20mod%20%5B1%5D.jar`),
          filename: 'my mod [1].jar',
          primary: true,
          size: bytes.length,
          file_type: null,
        },
      ],
      dependencies: [],
    });
    const read = (await (await api.call('GET', `/v2/version/${made.id}`)).json()) as Version;
    expect(read).toEqual({ ...made, files: [{ ...made.files[0], id: expect.any(String) }] });
    const stored = await api.services.storage.read(`data/${project.id}/versions/${made.id}/my mod [1].jar`);
    expect(Buffer.concat((await stored!.toArray()) as Buffer[])).toEqual(bytes);
    const [row] = await database.sql`select changelog_html from versions where id = ${made.id}`;
    expect(row!.changelog_html).toContain('New</h1>');
  });

  test('updates its project and records an event', async () => {
    const { id } = await publish({ game_versions: ['1.19.2'], loaders: ['quilt', 'fabric'] });
    const [row] =
      await database.sql`select loaders, game_versions, project_types, updated from projects where id = ${project.id}`;
    expect(row!.loaders).toEqual(expect.arrayContaining(['fabric', 'quilt']));
    expect(row!.game_versions.indexOf('1.19.2')).toBeLessThan(row!.game_versions.indexOf('1.20.1'));
    const [version] = await database.sql`select date_published from versions where id = ${id}`;
    expect(row!.updated).toBe(version!.date_published);
    const [event] =
      await database.sql`select data from events where name = 'version.published' and version_id = ${id}`;
    expect(event!.data).toMatchObject({ status: 'listed', version_number: '1.0.0' });
  });

  test.each(['archived', 'unlisted', 'draft'])('may be created as %s', async (status) => {
    expect((await publish({ status })).status).toBe(status);
  });

  test('has the environment of the oldest listed version unless it names one or its loaders have none', async () => {
    const other = await build.project(database.sql);
    await build.version(database.sql, other, { environment: 'server_only' });
    const at = async (given: Record<string, unknown>) =>
      (await publish({ project_id: other.id, ...given })).environment;
    expect(await at({})).toBe('server_only');
    expect(await at({ environment: 'client_only' })).toBe('client_only');
    expect(await at({ loaders: ['babric'], environment: null })).toBe('server_only');
    const empty = await build.project(database.sql);
    expect((await publish({ project_id: empty.id })).environment).toBe('unknown');
  });

  test('several files: the first suitable one is primary, or the named one, and is listed first', async () => {
    const files = { file: ['z.jar', await jar('pz')], second: ['a.jar', await jar('pa')] } as const;
    const send = async (given: object, more = files) =>
      (await (
        await api.call('POST', '/v2/version', {
          token: owner,
          body: form(dataOf(project.id, { file_parts: ['file', 'second'], ...given }), more),
        })
      ).json()) as Version;
    expect((await send({})).files.map(({ filename, primary }) => [filename, primary])).toEqual([
      ['z.jar', true],
      ['a.jar', false],
    ]);
    const named = await send({ primary_file: 'second', file_types: { file: 'sources-jar' } });
    expect(named.files.map(({ filename, file_type }) => [filename, file_type])).toEqual([
      ['a.jar', null],
      ['z.jar', 'sources-jar'],
    ]);
  });

  test('dependencies: a version implies its project, a file name alone is not stored', async () => {
    const target = await build.version(database.sql, await build.project(database.sql));
    const made = await publish({
      dependencies: [
        { version_id: target.id, dependency_type: 'required' },
        { project_id: target.project_id, dependency_type: 'optional', version_id: null },
        { file_name: 'loose.jar', dependency_type: 'embedded' },
      ],
    });
    expect(made.dependencies).toEqual([
      { version_id: target.id, project_id: target.project_id, file_name: null, dependency_type: 'required' },
      { version_id: null, project_id: target.project_id, file_name: null, dependency_type: 'optional' },
    ]);
  });
});

test('publishes that depend on each other’s projects at the same time all succeed', async () => {
  const other = await build.project(database.sql);
  const answers = await Promise.all(
    Array.from({ length: 16 }, async (_, index) => {
      const [from, to] = index % 2 ? [project, other] : [other, project];
      const dependencies = [{ project_id: to.id, dependency_type: 'required' }];
      return await publish({ project_id: from.id, dependencies, version_number: `together-${index}` });
    }),
  );
  expect(new Set(answers.map(({ id }) => id)).size).toBe(16);
  const list = (await (await api.call('GET', `/v2/project/${other.id}/version`)).json()) as Version[];
  expect(list).toHaveLength(8);
});
