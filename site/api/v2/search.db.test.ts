import { beforeAll, describe, expect, it } from 'vitest';
import { indexConsumer } from '#db/discovery/search/documents/index-consumer.ts';
import { postgresEngine } from '#db/discovery/search/postgres/engine.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';
import { hitShape } from './search.ts';

const database = testDatabase();
const api = testApi(database);

interface Answer {
  hits: Array<Record<string, unknown> & { project_id: string }>;
  offset: number;
  limit: number;
  total_hits: number;
}
const get = (params: Record<string, string>, token?: string, version = 'v2') =>
  api.call('GET', `/${version}/search?${new URLSearchParams(params)}`, token ? { token } : {});
const search = async (params: Record<string, string>): Promise<Answer> => {
  const response = await get(params);
  expect(response.status).toBe(200);
  return (await response.json()) as Answer;
};
const facets = (...groups: string[][]) => ({ facets: JSON.stringify(groups) });
const ids = ({ hits }: Answer) => hits.map(({ project_id }) => project_id);

const made = {} as Record<'lantern' | 'beacon' | 'pack' | 'empty', build.BuiltProject> & {
  newest: string;
  forge: string;
};
let follower: string;

beforeAll(async () => {
  const { sql } = database;
  const owner = await build.user(sql, { username: 'Lamplighter' });
  made.lantern = await build.project(sql, {
    owner,
    title: 'Fast Lanterns',
    description: 'Lights up caves',
    downloads: 500,
    followers: 3,
    categories: ['utility'],
    additional_categories: ['magic'],
    license_id: 'Apache-2.0',
    approved: '2024-02-05T19:39:55.551839Z',
  });
  made.forge = (
    await build.version(sql, made.lantern, {
      loaders: ['forge'],
      game_versions: ['1.19.2'],
      date_published: new Date('2024-01-01'),
    })
  ).id;
  made.newest = (await build.version(sql, made.lantern, { date_published: new Date('2024-03-01') })).id;
  made.beacon = await build.project(sql, {
    owner,
    title: 'Beacon',
    downloads: 9_000,
    followers: 1,
    archived: true,
  });
  await build.version(sql, made.beacon, {
    date_published: new Date('2024-01-05'),
    environment: 'client_only',
  });
  made.pack = await build.project(sql, {
    title: 'Lantern Pack',
    downloads: 10,
    license_id: 'LicenseRef-All-Rights-Reserved',
  });
  await build.version(sql, made.pack, {
    loaders: ['mrpack'],
    mrpack_loaders: ['fabric'],
    date_published: new Date('2024-01-06'),
  });
  made.empty = await build.project(sql, { title: 'Nothing yet', downloads: 0 });
  await build.project(sql, { title: 'Secret Lantern', status: 'private' });
  const fan = await build.user(sql);
  await sql`insert into follows ${sql([{ user_id: fan.id, project_id: made.beacon.id }])}`;
  follower = await build.token(sql, fan);
  await indexConsumer(sql, postgresEngine(sql)).step();
});

describe('GET /v2/search', () => {
  it('lists all listed projects, most downloaded first, ten per page', async () => {
    const all = await search({});
    expect(all).toMatchObject({ offset: 0, limit: 10, total_hits: 4 });
    expect(ids(all)).toEqual([made.beacon, made.lantern, made.pack, made.empty].map(({ id }) => id));
  });

  it('answers hits in the shape of the API', async () => {
    const { hits } = await search({ query: 'fast lanterns' });
    expect(hitShape.parse(hits[0])).toEqual(hits[0]);
    expect(hits[0]).toEqual({
      project_id: made.lantern.id,
      project_type: 'mod',
      all_project_types: ['mod'],
      slug: made.lantern.slug,
      author: 'Lamplighter',
      author_id: made.lantern.owner.id,
      organization: null,
      organization_id: null,
      title: 'Fast Lanterns',
      description: 'Lights up caves',
      categories: ['fabric', 'forge', 'magic', 'utility'],
      display_categories: ['fabric', 'forge', 'utility'],
      versions: ['1.19.2', '1.20.1'],
      downloads: 500,
      follows: 3,
      icon_url: '',
      date_created: '2024-02-05T19:39:55.551839+00:00',
      date_modified: '2024-03-01T00:00:00+00:00',
      latest_version: made.newest,
      license: 'Apache-2.0',
      client_side: 'required',
      server_side: 'required',
      environment: ['client_and_server'],
      disclosure_types: [],
      gallery: [],
      featured_gallery: null,
      color: null,
    });
    const {
      hits: [empty],
    } = await search({ query: 'nothing yet' });
    expect(empty).toMatchObject({ latest_version: '', icon_url: '', project_type: 'project', versions: [] });
    const {
      hits: [pack],
    } = await search(facets(['project_type:modpack']));
    expect(pack).toMatchObject({ project_type: 'modpack', categories: ['fabric'] });
  });

  it('names the newest version that matches the filters', async () => {
    expect((await search(facets(['categories:forge']))).hits[0]).toMatchObject({
      latest_version: made.forge,
    });
    expect((await search({ query: 'fast lanterns' })).hits[0]).toMatchObject({ latest_version: made.newest });
  });

  it('requires that one version meets all version filters', async () => {
    expect(ids(await search(facets(['categories:forge'], ['versions:1.19.2'])))).toEqual([made.lantern.id]);
    expect(ids(await search(facets(['categories:forge'], ['versions:1.20.1'])))).toEqual([]);
  });

  it.each<[string, string[][], Array<'lantern' | 'beacon' | 'pack' | 'empty'>]>([
    ['title in quotes', [["title:'Fast Lanterns'"]], ['lantern']],
    ['licence', [['license:apache-2.0']], ['lantern']],
    ['open source', [['open_source:false']], ['pack']],
    ['author', [['author:lamplighter']], ['beacon', 'lantern']],
    ['not a version', [['versions!=1.19.2'], ['downloads>400']], ['beacon', 'lantern']],
    ['no version at all', [['any_game_version!=1.19.2'], ['downloads>400']], ['beacon']],
    ['only one loader', [['any_loader:fabric'], ['loader_count=1']], ['beacon', 'pack']],
    ['downloads', [['downloads>=500'], ['downloads<9000']], ['lantern']],
    ['disclosure', [['disclosure_types:archived']], ['beacon']],
    ['unknown key', [['colour:red']], []],
    ['unknown value', [['versions:9.9']], []],
    ['or', [['versions:1.19.2', 'project_type:modpack']], ['lantern', 'pack']],
  ])('filters by %s', async (_what, groups, names) => {
    const found = await search(facets(...groups));
    expect(
      ids(found).filter((id) => Object.values(made).some((one) => typeof one !== 'string' && one.id === id)),
    ).toEqual(names.map((name) => made[name].id));
    expect(found.total_hits).toBe(names.length);
  });

  it.each([
    ['relevance', ['beacon', 'lantern', 'pack', 'empty']],
    ['downloads', ['beacon', 'lantern', 'pack', 'empty']],
    ['follows', ['lantern', 'beacon', 'pack', 'empty']],
  ] as const)('sorts by %s', async (index, names) => {
    expect(ids(await search({ index }))).toEqual(names.map((name) => made[name].id));
  });

  it('accepts newest as date_created and updated as date_modified', async () => {
    for (const [a, b] of [
      ['newest', 'date_created'],
      ['updated', 'date_modified'],
    ] as const)
      expect(ids(await search({ index: a }))).toEqual(ids(await search({ index: b })));
    expect(ids(await search({ index: 'updated' })).indexOf(made.lantern.id)).toBeLessThan(4);
  });

  it('clamps the limit, echoes the offset and gives the true total', async () => {
    expect(await search({ limit: '0' })).toMatchObject({ limit: 1, hits: [{ project_id: made.beacon.id }] });
    expect(await search({ limit: '5000' })).toMatchObject({ limit: 100 });
    const third = await search({ limit: '2', offset: '3' });
    expect(third).toMatchObject({ offset: 3, limit: 2, total_hits: 4 });
    expect(ids(third)).toEqual([made.empty.id]);
    expect(await search({ offset: '300000' })).toMatchObject({ hits: [], offset: 300_000, total_hits: 4 });
  });

  it.each([
    [{ limit: '-1' }, 'limit'],
    [{ limit: 'ten' }, 'limit'],
    [{ limit: '1.5' }, 'limit'],
    [{ offset: '-1' }, 'offset'],
    [{ offset: '0x10' }, 'offset'],
    [{ index: 'alphabet' }, 'invalid index'],
    [{ query: 'a'.repeat(2_001) }, 'query'],
    [{ facets: '[["categories:fabric"' }, 'facets'],
    [{ facets: '[[["categories:fabric"]]]' }, 'facets'],
    [{ filters: 'categories = fabric AND' }, 'filters'],
    [{ new_filters: 'categories EXISTS' }, 'EXISTS'],
  ] as Array<[Record<string, string>, string]>)('refuses %o with a reason', async (params, why) => {
    const response = await get(params);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ description: expect.stringContaining(why) });
  });

  it('finds text with typos, joined words and arbitrary bytes without failing', async () => {
    expect(ids(await search({ query: 'lantrens' }))).toContain(made.lantern.id);
    expect(ids(await search({ query: 'fastlanterns' }))[0]).toBe(made.lantern.id);
    expect(ids(await search({ query: 'lamplighter beacon' }))).toEqual([made.beacon.id]);
    for (const query of ["'", '\\', '\0', '%', ':*', "a'b\\c:*|!&(", '\ud800', '!!!', 'x'.repeat(2_000)])
      await search({ query, facets: JSON.stringify([[`name:\`${query.replaceAll('\\', '')}\``]]) });
  });

  it('followed=true searches the follows of the signed-in user, and needs one', async () => {
    const own = await get({ followed: 'true' }, follower);
    expect(own.headers.get('cache-control')).toBe('private, no-store');
    expect(ids((await own.json()) as Answer)).toEqual([made.beacon.id]);
    expect((await get({ followed: 'true' })).status).toBe(401);
    expect((await get({ followed: 'true' }, 'mrp_nonsense')).status).toBe(401);
    const blind = await build.token(database.sql, await build.user(database.sql), ['PROJECT_READ']);
    expect((await get({ followed: 'true' }, blind)).status).toBe(401);
    expect((await search({ followed: 'false' })).total_hits).toBe(4);
  });
});

describe('/v3/search', () => {
  it('answers v3 names and pages, from the address and from a body', async () => {
    const params = { facets: JSON.stringify([['game_versions:1.19.2']]), limit: '5', offset: '0' };
    const byAddress = await (await get(params, undefined, 'v3')).json();
    expect(byAddress).toMatchObject({
      page: 1,
      hits_per_page: 5,
      total_hits: 1,
      hits: [
        {
          version_id: made.forge,
          name: 'Fast Lanterns',
          summary: 'Lights up caves',
          project_types: ['mod'],
          icon_url: null,
          dependencies: [],
        },
      ],
    });
    const byBody = await api.call('POST', '/v3/search', { json: params });
    expect(await byBody.json()).toEqual(byAddress);
  });

  it('accepts AND groups inside OR groups, and rejects v2 names', async () => {
    const group = {
      facets: JSON.stringify([['license:Apache-2.0', ['categories:fabric', 'game_versions:1.19.2']]]),
    };
    expect(await (await get(group, undefined, 'v3')).json()).toMatchObject({ total_hits: 1 });
    expect(await (await get(facets(['versions:1.19.2']), undefined, 'v3')).json()).toMatchObject({
      total_hits: 0,
    });
  });

  it('refuses a body of anything but strings', async () => {
    expect((await api.call('POST', '/v3/search', { json: { query: 5 } })).status).toBe(400);
    expect((await api.call('POST', '/v3/search', { body: '{' })).status).toBe(400);
  });
});
