import { beforeAll, describe, expect, test } from 'vitest';
import { resolveContent } from '#db/catalogue/versions/resolve.ts';
import { acceptableLoaders, type ContentType, whyNotAdd } from '#db/catalogue/versions/resolve-rules.ts';
import * as build from '#db/testing/builders/build.ts';
import { countingQueries } from '#db/testing/count-queries.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';

const database = testDatabase();
const api = testApi(database);

const on = (day: number) => ({ date_published: new Date(Date.UTC(2024, 0, day)) });
const target = { game_versions: ['1.20.1'], loaders: ['fabric'] };
type Json = Record<string, unknown>;
const post = async (json: unknown, token?: string) =>
  await api.call('POST', '/v3/content/resolve', { json, ...(token ? { token } : {}) });
const resolve = async (project_id: string, given: Json = {}, token?: string) => {
  const answer = await post({ project_id, content_type: 'mod', target, ...given }, token);
  expect(answer.status).toBe(200);
  return (await answer.json()) as {
    primary: Json;
    dependencies: Array<Json & { project_id: string }>;
    skipped: Array<Json & { reason: string }>;
  };
};
const project = async (given: build.GivenProject = {}) => await build.project(database.sql, given);
const version = async (of: build.BuiltProject, given: build.GivenVersion = {}) =>
  await build.version(database.sql, of, given);

describe('a graph of dependencies', () => {
  let top: build.BuiltProject;
  let left: build.BuiltProject;
  let right: build.BuiltProject;
  let shared: build.BuiltProject;
  let v: Record<string, build.BuiltVersion>;
  beforeAll(async () => {
    [top, left, right, shared] = [await project(), await project(), await project(), await project()];
    const sharedOld = await version(shared, { ...on(1), dependencies: [{ project_id: top.id }] });
    const sharedNew = await version(shared, on(2));
    v = { sharedOld, sharedNew };
    v.left = await version(left, {
      ...on(1),
      dependencies: [{ dependency_version_id: sharedOld.id, project_id: shared.id }],
    });
    v.right = await version(right, {
      dependencies: [
        { project_id: shared.id },
        { dependency_version_id: sharedNew.id },
        { project_id: left.id, dependency_type: 'optional' },
        { file_name: 'bundled.jar' },
      ],
    });
    v.top = await version(top, {
      dependencies: [{ project_id: right.id }, { dependency_version_id: v.left.id, project_id: left.id }],
    });
  });

  test('is planned level by level, each project once, with the version that needs it', async () => {
    const plan = await resolve(top.slug);
    expect(plan.primary).toEqual({
      project_id: top.id,
      version_id: v.top!.id,
      dependent_on_version_id: null,
    });
    expect(plan.dependencies).toEqual([
      { project_id: right.id, version_id: v.right!.id, dependent_on_version_id: v.top!.id },
      { project_id: left.id, version_id: v.left!.id, dependent_on_version_id: v.top!.id },
      { project_id: shared.id, version_id: v.sharedNew!.id, dependent_on_version_id: v.right!.id },
    ]);
    const by = (one: build.BuiltVersion, of: build.BuiltProject) => ({
      project_id: of.id,
      dependent_on_version_id: one.id,
    });
    expect(plan.skipped).toEqual([
      { ...by(v.right!, shared), version_id: null, reason: 'duplicate_project' },
      { ...by(v.left!, shared), version_id: v.sharedOld!.id, reason: 'conflicting_dependency' },
    ]);
  });

  test('leaves out what is installed, and with it what that needs', async () => {
    const plan = await resolve(top.id, { existing_project_ids: [right.id] });
    expect(plan.dependencies.map(({ project_id }) => project_id)).toEqual([left.id, shared.id]);
    expect(plan.skipped.map(({ reason }) => reason)).toEqual(['already_installed', 'duplicate_project']);
  });

  test('ends at a cycle', async () => {
    const plan = await resolve(shared.id, { version_id: v.sharedOld!.id });
    expect(plan.primary).toMatchObject({ version_id: v.sharedOld!.id });
    expect(plan.dependencies.map(({ project_id }) => project_id)).toEqual([top.id, right.id, left.id]);
    expect(plan.skipped.every(({ project_id }) => project_id === shared.id)).toBe(true);
  });
});

test('a chain is followed to its depth with three statements for a level, and a wide one with as few', async () => {
  const chain: build.BuiltProject[] = [];
  for (let i = 0; i < 20; i++) {
    const of = await project();
    await version(of, { dependencies: chain.length > 0 ? [{ project_id: chain.at(-1)!.id }] : [] });
    chain.push(of);
  }
  const plan = await resolve(chain.at(-1)!.id);
  expect(plan.dependencies).toHaveLength(16);
  const wide = await project();
  await version(wide, { dependencies: chain.map(({ id }) => ({ project_id: id })) });
  const count = async (project_id: string) => {
    const counting = countingQueries(database.sql);
    const preferences = { selected: { game_versions: [], loaders: [] }, target, existing_project_ids: [] };
    await resolveContent(counting.sql, { project_id, content_type: 'mod', ...preferences }, null);
    return counting.count();
  };
  expect(await count(chain[0]!.id)).toBeLessThanOrEqual(4);
  expect(await count(chain[1]!.id)).toBeLessThanOrEqual(8);
  expect(await count(wide.id)).toBeLessThanOrEqual(8);
});

describe('the version of a project', () => {
  let of: build.BuiltProject;
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    of = await project();
    const add = async (name: string, given: build.GivenVersion) => {
      ids[name] = (await version(of, given)).id;
    };
    await add('old', on(1));
    await add('new', on(2));
    await add('quilt', { ...on(3), loaders: ['quilt'] });
    await add('next', { ...on(4), game_versions: ['1.21.1'] });
    await add('datapack', { ...on(5), loaders: ['datapack'] });
    await add('paper', { ...on(6), loaders: ['bukkit'] });
    await add('draft', { ...on(7), status: 'draft' });
  });
  const none = { game_versions: [], loaders: [] };
  test.each<[string, Json, string]>([
    ['is the newest that fits', {}, 'new'],
    [
      'fits the loader itself before one it also loads',
      { target: { ...target, loaders: ['quilt'] } },
      'quilt',
    ],
    [
      'fits by a loader whose files it also loads',
      { target: { game_versions: ['1.21.1'], loaders: ['quilt'] } },
      'next',
    ],
    ['is a data pack when no mod fits', { target: { ...target, loaders: ['neoforge'] } }, 'datapack'],
    ['is a data pack for data packs', { content_type: 'datapack' }, 'datapack'],
    [
      'is a plugin for plugins',
      { content_type: 'plugin', target: { ...target, loaders: ['paper'] } },
      'paper',
    ],
    [
      'is as selected where the target is open',
      { target: none, selected: { ...target, game_versions: ['1.21.1'] } },
      'next',
    ],
    [
      'prefers what is selected',
      { target: { ...target, loaders: ['fabric', 'quilt'] }, selected: { ...none, loaders: ['fabric'] } },
      'new',
    ],
    ['is any mod without a target', { target: none }, 'next'],
  ])('%s', async (_, given, expected) => {
    expect((await resolve(of.id, given)).primary.version_id).toBe(ids[expected]);
  });

  test.each<[string, () => Json, number]>([
    ['an unknown project', () => ({ project_id: 'nowhere' }), 404],
    ['an unknown version', () => ({ version_id: 'zzzzzzzz' }), 404],
    ['a draft', () => ({ version_id: ids.draft }), 404],
    ['no fitting version', () => ({ target: { ...target, game_versions: ['1.0'] } }), 400],
    ['an unknown type', () => ({ content_type: 'world' }), 400],
    ['a missing type', () => ({ content_type: undefined }), 400],
    ['NUL', () => ({ target: { ...target, loaders: ['a\0'] } }), 400],
    ['too many installed projects', () => ({ existing_project_ids: Array(4097).fill('x') }), 400],
    ['a list as body', () => [] as unknown as Json, 400],
  ])('is refused for %s', async (_, given, status) => {
    const change = given();
    const body = Array.isArray(change)
      ? change
      : { project_id: of.id, content_type: 'mod', target, ...change };
    expect((await post(body)).status).toBe(status);
  });

  test('must be of the project', async () => {
    const other = await version(await project());
    const answer = await post({ project_id: of.id, content_type: 'mod', version_id: other.id });
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { details: { code: 'version_of_other_project' } },
    ]);
  });
});

test('on Quilt the API of Fabric is left out, as it has its own', async () => {
  const fabricApi = await project({ slug: 'fabric-api' });
  await version(fabricApi);
  const of = await project();
  await version(of, { loaders: ['fabric', 'quilt'], dependencies: [{ project_id: fabricApi.id }] });
  expect((await resolve(of.id)).dependencies).toMatchObject([{ project_id: fabricApi.id }]);
  const quilt = await resolve(of.id, { target: { ...target, loaders: ['quilt'] } });
  expect(quilt.dependencies).toEqual([]);
  expect(quilt.skipped).toMatchObject([{ project_id: fabricApi.id, reason: 'quilt_fabric_api' }]);
});

test('hidden versions and projects are never planned, except for members', async () => {
  const hidden = await project({ status: 'draft' });
  const inside = await version(hidden);
  const of = await project();
  const open = await project();
  const draft = await version(open, { status: 'draft' });
  await version(of, {
    dependencies: [
      { project_id: hidden.id },
      { dependency_version_id: inside.id },
      { dependency_version_id: draft.id, project_id: open.id },
    ],
  });
  const plan = await resolve(of.id);
  expect(plan.dependencies).toEqual([]);
  expect(plan.skipped.map(({ reason }) => reason)).toEqual([
    'no_compatible_version',
    'missing_version',
    'missing_version',
  ]);
  const member = await build.token(database.sql, hidden.owner);
  expect((await resolve(of.id, {}, member)).dependencies).toMatchObject([{ version_id: inside.id }]);
  expect((await post({ project_id: hidden.id, content_type: 'mod', target })).status).toBe(404);
});

test.each<[ContentType | 'dependency', string[], number | null]>([
  ['mod', ['fabric'], 4],
  ['mod', [], 2],
  ['dependency', [], null],
  ['modpack', ['fabric'], 1],
  ['resourcepack', ['fabric'], 1],
  ['datapack', ['fabric'], 1],
  ['shader', ['iris'], 2],
  ['plugin', ['purpur'], 4],
])('loaders for a %s in %j', (type, wanted, groups) => {
  expect(acceptableLoaders(type, wanted)?.length ?? null).toBe(groups);
});

test.each([
  [{ pinned: null, project_id: 'p' }, undefined, [], [], null],
  [{ pinned: 'v', project_id: 'p' }, undefined, [], [], null],
  [{ pinned: null, project_id: 'p' }, 'v', [], [], 'duplicate_project'],
  [{ pinned: 'v', project_id: 'p' }, 'v', [], [], 'duplicate_project'],
  [{ pinned: 'w', project_id: 'p' }, 'v', [], [], 'conflicting_dependency'],
  [{ pinned: 'w', project_id: 'p' }, 'v', ['p'], [], 'already_installed'],
  [{ pinned: null, project_id: 'p' }, undefined, ['p'], ['p'], 'quilt_fabric_api'],
])('%j beside %s, installed %j, replaced %j: %s', (dependency, chosen, existing, replaced, expected) => {
  expect(whyNotAdd(dependency, { chosen, existing: new Set(existing), replaced: new Set(replaced) })).toBe(
    expected,
  );
});
