import { beforeAll, expect, test } from 'vitest';
import { limits } from '#db/catalogue/versions/rules.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';
import { callers, dataOf, form, jar } from '../../testing/versions.ts';

const database = testDatabase();
const api = testApi(database);
const count = 90;
const long = 'x'.repeat(65_536);

let project: build.BuiltProject;
let token: string;
let versions: build.BuiltVersion[];
let projects: build.BuiltProject[];
beforeAll(async () => {
  const { sql } = database;
  const person = await build.user(sql);
  token = await build.token(sql, person, ['USER_READ', 'PROJECT_READ']);
  project = await build.project(sql);
  const user = await build.project(sql);
  versions = [];
  projects = [];
  for (let i = 0; i < count; i++) {
    versions.push(await build.version(sql, project, { changelog: long, files: [{}] }));
    projects.push(await build.project(sql, { body: long }));
    await build.follow(sql, person, projects[i]!);
  }
  await build.version(sql, user, {
    dependencies: versions.map(({ id }) => ({ dependency_version_id: id, project_id: project.id })),
  });
  dependent = user.id;
  follower = person.id;
});
let dependent: string;
let follower: string;

const ids = (rows: ReadonlyArray<{ id: string }>) =>
  encodeURIComponent(JSON.stringify(rows.map(({ id }) => id)));
const hashes = () => versions.map(({ files }) => files[0]!.sha1);
const cases: Array<[string, () => Promise<Response>]> = [
  ['versions of a project', () => api.call('GET', `/v2/project/${project.id}/version`)],
  ['versions by ids', () => api.call('GET', `/v2/versions?ids=${ids(versions)}`)],
  ['versions by hashes', () => api.call('POST', '/v2/version_files', { json: { hashes: hashes() } })],
  ['dependencies', () => api.call('GET', `/v2/project/${dependent}/dependencies`)],
  ['projects by ids', () => api.call('GET', `/v2/projects?ids=${ids(projects)}`)],
  ['projects by ids in v3', () => api.call('GET', `/v3/projects?ids=${ids(projects)}`)],
  ['follows', () => api.call('GET', `/v2/user/${follower}/follows`, { token })],
];

test.each(cases)('a long response is never whole in memory: %s', async (name, call) => {
  const before = `${name} before`;
  await database.sql`update versions set name = ${before}`;
  await database.sql`update projects set description = ${before}`;
  const answer = await call();
  expect(answer.status).toBe(200);
  // a change made while the client does not read is visible: the rows were not fetched yet
  await database.sql`update versions set name = 'after'`;
  await database.sql`update projects set description = 'after'`;
  const text = await answer.text();
  expect(() => JSON.parse(text)).not.toThrow();
  const old = text.split(`"${before}"`).length - 1;
  const recent = text.split('"after"').length - 1;
  expect(old).toBeGreaterThan(0);
  expect(recent).toBeGreaterThan(0);
  expect(old + recent).toBeGreaterThanOrEqual(count);
});

test('a short response has a Content-Length', async () => {
  const answer = await api.call('GET', `/v2/project/${dependent}/version?include_changelog=false`);
  expect(Number(answer.headers.get('content-length'))).toBe((await answer.text()).length);
});

test('a project gets at most 500 versions a day and 10,000 in all', async () => {
  const { sql } = database;
  const full = await build.project(sql);
  const tokens = await callers(sql, full, await build.organization(sql), ['VERSION_CREATE']);
  const add = async (amount: number, age: string) =>
    await sql`
    insert into versions (id, project_id, author_id, name, version_number, version_type, loaders, game_versions,
      environment, date_published)
    select 'full' || (select count(*) from versions) + n, ${full.id}, ${full.owner.id}, 'n', 'n', 'release', '{fabric}',
      '{1.20.1}', 'client_and_server', now() - ${age}::interval
    from generate_series(1, ${amount}::int) n`;
  const publish = async (name: string) => {
    const file: [string, Buffer] = ['x.jar', await jar(name)];
    const answer = await api.call('POST', '/v2/version', {
      token: tokens.admin!,
      body: form(dataOf(full.id), { file }),
    });
    return [answer.status, ((await answer.json()) as { details?: { code: string } }).details?.code];
  };
  await add(limits.per_day, '23 hours');
  expect(await publish('one')).toEqual([429, 'versions_too_many_today']);
  await sql`update versions set date_published = now() - interval '25 hours' where project_id = ${full.id}`;
  expect(await publish('two')).toEqual([200, undefined]);
  await add(limits.per_project - limits.per_day - 1, '2 days');
  expect(await publish('three')).toEqual([400, 'versions_full']);
});
