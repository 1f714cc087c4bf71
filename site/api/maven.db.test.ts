import { beforeAll, describe, expect, test } from 'vitest';
import { type MavenVersion, pickVersion } from '#db/catalogue/versions/maven.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../testing/api.ts';

const database = testDatabase();
const api = testApi(database);

let project: build.BuiltProject;
const made: Record<string, build.BuiltVersion> = {};
const on = (day: number) => ({ date_published: new Date(Date.UTC(2024, 0, day)) });
beforeAll(async () => {
  project = await build.project(database.sql, {
    slug: 'Fancy-Mod'.toLowerCase(),
    title: 'Fancy & <Mod>',
    description: 'Says "hi" \u0007]]>',
  });
  const add = async (name: string, given: build.GivenVersion) => {
    made[name] = await build.version(database.sql, project, given);
  };
  await add('one', {
    ...on(1),
    version_number: '1.0',
    files: [
      { filename: 'Fancy-1.0.jar' },
      { filename: 'fancy sources.jar', file_type: 'sources-jar' },
      { filename: 'zz-other.jar' },
      { filename: 'fancy.zip' },
    ],
  });
  await add('forge', { ...on(2), version_number: '1.0', loaders: ['forge'], game_versions: ['1.21.1'] });
  await add('beta', { ...on(3), version_number: '2.0-beta', version_type: 'beta', ordering: null });
  await add('first', { ...on(4), version_number: '0.9', ordering: 1, loaders: ['neoforge'] });
  await add('draft', { ...on(5), version_number: '9.9', status: 'draft' });
});

const root = '/maven/maven/modrinth';
const get = async (path: string, token?: string) =>
  await api.call('GET', `${root}/${path}`, token === undefined ? {} : { token });
const target = async (path: string) => {
  const answer = await get(path);
  return answer.status === 307
    ? decodeURIComponent(new URL(answer.headers.get('location')!).pathname)
    : answer.status;
};
const stored = (name: string, filename: string) =>
  `/data/${project.id}/versions/${made[name]!.id}/${filename}`;

describe('maven-metadata.xml', () => {
  test('lists versions, explicitly ordered ones first, a repeated number as its id', async () => {
    const answer = await get(`${project.slug}/maven-metadata.xml`);
    expect(answer.headers.get('content-type')).toMatch(/^text\/xml/);
    const text = await answer.text();
    const names = [...text.matchAll(/<version>([^<]*)</g)].map(([, name]) => name);
    expect(names).toEqual(['0.9', '1.0', made.forge!.id, '2.0-beta']);
    expect(text).toContain('<groupId>maven.modrinth</groupId>');
    expect(text).toContain(`<artifactId>${project.id}</artifactId>`);
    expect(text).toContain('<latest>2.0-beta</latest>');
    expect(text).toContain(`<release>${made.forge!.id}</release>`);
    expect(text).toContain('<lastUpdated>20240104000000</lastUpdated>');
  });

  test('of a project without versions', async () => {
    const empty = await build.project(database.sql);
    const text = await (await get(`${empty.id}/maven-metadata.xml`)).text();
    expect(text).toContain('<latest>release</latest><release/><versions/>');
  });
});

test('the POM has escaped texts and the names as given', async () => {
  const text = await (await get(`${project.id}/1.0/${project.id}-1.0.pom`)).text();
  expect(text).toContain(`<artifactId>${project.id}</artifactId><version>1.0</version>`);
  expect(text).toContain('<name>Fancy &amp; &lt;Mod&gt;</name>');
  expect(text).toContain('<description>Says &quot;hi&quot; ]]&gt;</description>');
});

describe('files', () => {
  test.each<[string, () => string, () => string | number]>([
    ['by name, whatever its case', () => 'fancy-mod/1.0/FANCY-1.0.JAR', () => stored('one', 'Fancy-1.0.jar')],
    ['by slug and version', () => 'fancy-mod/1.0/fancy-mod-1.0.jar', () => stored('one', 'Fancy-1.0.jar')],
    [
      'the last one when the primary one has another extension',
      () => 'fancy-mod/1.0/fancy-mod-1.0.zip',
      () => stored('one', 'fancy.zip'),
    ],
    [
      'by classifier',
      () => 'fancy-mod/1.0/fancy-mod-1.0-sources.jar',
      () => stored('one', 'fancy sources.jar'),
    ],
    ['an unknown classifier', () => 'fancy-mod/1.0/fancy-mod-1.0-javadoc.jar', () => 404],
    ['an extension it has not', () => 'fancy-mod/1.0/fancy-mod-1.0.litemod', () => 404],
    ['the name of another artifact', () => 'fancy-mod/1.0/other-1.0.jar', () => 404],
    ['an unknown version', () => 'fancy-mod/7/fancy-mod-7.jar', () => 404],
    ['a draft', () => 'fancy-mod/9.9/fancy-mod-9.9.jar', () => 404],
    ['an unknown project', () => 'no-such-mod/1.0/no-such-mod-1.0.jar', () => 404],
    ['NUL', () => 'fancy-mod/1.0%00/x.jar', () => 404],
  ])('%s', async (_, path, expected) => {
    expect(await target(path())).toBe(expected());
  });

  test('HEAD gives the same without a body', async () => {
    const path = `${root}/fancy-mod/1.0/fancy-mod-1.0.jar`;
    const head = await api.call('HEAD', path);
    expect([head.status, await head.text()]).toEqual([307, '']);
    expect(head.headers.get('location')).toBe((await api.call('GET', path)).headers.get('location'));
    expect((await api.call('HEAD', `${root}/fancy-mod/maven-metadata.xml`)).status).toBe(200);
  });

  test('their checksums are plain text; others are 404 without a body', async () => {
    const file = made.one!.files[0]!;
    for (const algorithm of ['sha1', 'sha512'] as const) {
      const answer = await get(`fancy-mod/1.0/fancy-mod-1.0.jar.${algorithm}`);
      expect([answer.status, await answer.text()]).toEqual([200, file[algorithm]]);
    }
    const missing = await get('fancy-mod/1.0/fancy-mod-1.0.war.sha1');
    expect([missing.status, await missing.text()]).toEqual([404, '']);
  });
});

test.each<[string, string | null]>([
  ['0.9', 'first'],
  ['2.0-beta', 'beta'],
  ['1.0', 'one'],
  ['1.0-forge', 'forge'],
  ['1.0-fabric,quilt', 'one'],
  ['1.0-1.21.1', 'forge'],
  ['1.0-fabric,1.21.1', null],
  ['1.0-nonsense', null],
  ['1.0-', null],
  ['2.0', null],
])('the version %s is %s', (name, expected) => {
  const version = (id: string, version_number: string, loader: string, game = '1.20.1'): MavenVersion => ({
    id,
    version_number,
    version_type: 'release',
    loaders: [loader],
    mrpack_loaders: [],
    game_versions: [game],
  });
  const versions = [
    version('first', '0.9', 'neoforge'),
    version('one', '1.0', 'fabric'),
    version('forge', '1.0', 'forge', '1.21.1'),
    version('beta', '2.0-beta', 'fabric'),
  ];
  expect(pickVersion(versions, name)?.id ?? null).toBe(expected);
});

test('by id where a number repeats', async () => {
  const { id, files } = made.forge!;
  expect(await target(`fancy-mod/${id}/fancy-mod-${id}.jar`)).toBe(stored('forge', files[0]!.filename));
});

test('a hidden project is 404 without a token of a member', async () => {
  const hidden = await build.project(database.sql, { status: 'private' });
  const { version_number } = { version_number: '1.0.0' };
  await build.version(database.sql, hidden, { version_number });
  const member = await build.token(database.sql, hidden.owner);
  const blind = await build.token(database.sql, hidden.owner, ['USER_READ']);
  const stranger = await build.token(database.sql, await build.user(database.sql));
  for (const path of [
    'maven-metadata.xml',
    `1.0.0/${hidden.slug}-1.0.0.pom`,
    `1.0.0/${hidden.slug}-1.0.0.jar`,
  ]) {
    const status = async (token?: string) => (await get(`${hidden.slug}/${path}`, token)).status;
    expect([path, await status(), await status(stranger), await status(blind)]).toEqual([
      path,
      404,
      404,
      404,
    ]);
    expect([200, 307]).toContain(await status(member));
  }
});

describe('the update check', () => {
  const check = async (id: string, query = '', token?: string) =>
    await api.call('GET', `/updates/${id}/forge_updates.json${query}`, token ? { token } : {});
  test('names the newest version and the newest release of each game version', async () => {
    const of = await build.project(database.sql, { slug: 'checked' });
    const add = async (version_number: string, day: number, given: build.GivenVersion = {}) =>
      await build.version(database.sql, of, { version_number, ...on(day), loaders: ['forge'], ...given });
    await add('1', 1);
    await add('2', 2, { version_type: 'beta', game_versions: ['1.20.1', '1.21.1'] });
    await add('3', 3, { loaders: ['neoforge'], game_versions: ['1.21.1'] });
    await add('4', 4, { loaders: ['fabric'] });
    await add('5', 5, { status: 'draft' });
    const promos = async (query: string) => {
      const answer = (await (await check('checked', query)).json()) as { homepage: string; promos: object };
      expect(answer.homepage).toBe('http://localhost:4321/mod/checked');
      return answer.promos;
    };
    const forge = { '1.20.1-latest': '2', '1.20.1-recommended': '1', '1.21.1-latest': '2' };
    expect(await promos('')).toEqual(forge);
    expect(await promos('?neoforge=none')).toEqual(forge);
    expect(await promos('?neoforge=only')).toEqual({ '1.21.1-latest': '3', '1.21.1-recommended': '3' });
    expect(await promos('?neoforge=include')).toEqual({
      ...forge,
      '1.21.1-latest': '3',
      '1.21.1-recommended': '3',
    });
    expect((await check('checked', '?neoforge=maybe')).status).toBe(400);
  });
  test('of a missing or hidden project is 400', async () => {
    const hidden = await build.project(database.sql, { status: 'rejected' });
    for (const id of ['no-such-mod', hidden.id, 'a%00b']) {
      const answer = await check(id);
      expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'request_error' }]);
    }
    expect((await check(hidden.id, '', await build.token(database.sql, hidden.owner))).status).toBe(200);
  });
});
