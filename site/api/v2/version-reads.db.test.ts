import { beforeAll, describe, expect, test } from 'vitest';
import { type Status, statuses, statusTraits } from '#db/catalogue/projects/rules.ts';
import {
  listedStatuses,
  openStatuses,
  type VersionStatus,
  versionStatuses,
} from '#db/catalogue/versions/rules.ts';
import type { Version } from '#db/catalogue/versions/shape.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';
import { callers, type Kind } from '../../testing/versions.ts';

const database = testDatabase();
const api = testApi(database);

const insiders: Kind[] = [
  'pending',
  'powerless',
  'uploader',
  'deleter',
  'organization uploader',
  'moderator',
  'admin',
];
const outsiders: Kind[] = ['visitor', 'stranger', 'owner without the scope'];

/** A project of a status with one version of each status, and its callers; the last one lacks the read scopes. */
async function scene(status: string) {
  const organization = await build.organization(database.sql);
  const project = await build.project(database.sql, { organization, status });
  const tokens = await callers(database.sql, project, organization, ['VERSION_READ', 'PROJECT_READ']);
  const versions = new Map<VersionStatus, build.BuiltVersion>();
  for (const [day, of] of versionStatuses.entries()) {
    const date_published = new Date(Date.UTC(2024, 0, day + 1));
    versions.set(
      of,
      await build.version(database.sql, project, { status: of, version_number: of, date_published }),
    );
  }
  const get = async (kind: Kind, path: string, json?: unknown) =>
    await api.call(json === undefined ? 'GET' : 'POST', path, {
      ...(tokens[kind] ? { token: tokens[kind] } : {}),
      json,
    });
  return { project, versions, get };
}

describe('visibility of a version, by the status of its project', () => {
  test.each(statuses.filter((status) => status !== 'archived'))('%s', async (status: Status) => {
    const { project, versions, get } = await scene(status);
    const ids = [...versions.values()].map(({ id }) => id);
    const hashes = [...versions.values()].map(({ files }) => files[0]!.sha1);
    for (const kind of [...insiders, ...outsiders]) {
      const inside = insiders.includes(kind);
      const open = inside || !statusTraits[status].hidden;
      const byId = open ? (inside ? [...versionStatuses] : [...openStatuses]) : [];
      const listed = open ? [...listedStatuses] : [];
      const many = (await (await get(kind, `/v2/versions?ids=${JSON.stringify(ids)}`)).json()) as Version[];
      expect(
        many.map((version) => version.status),
        `${kind}: versions`,
      ).toEqual(byId);
      const byHash = (await (await get(kind, '/v2/version_files', { hashes })).json()) as Record<
        string,
        Version
      >;
      expect(
        Object.values(byHash)
          .map((version) => version.status)
          .sort(),
        `${kind}: hashes`,
      ).toEqual([...byId].sort());
      const list = await get(kind, `/v2/project/${project.id}/version`);
      expect(list.status, `${kind}: list`).toBe(open ? 200 : 404);
      if (open)
        expect(((await list.json()) as Version[]).map((version) => version.status)).toEqual(listed.reverse());
    }
    for (const [of, version] of versions) {
      for (const kind of ['uploader', 'visitor', 'owner without the scope'] as const) {
        const open = kind === 'uploader' || (!statusTraits[status].hidden && openStatuses.includes(of));
        const lists = listedStatuses.includes(of) && (kind === 'uploader' || !statusTraits[status].hidden);
        const answers = [
          (await get(kind, `/v2/version/${version.id}`)).status,
          (await get(kind, `/v2/version_file/${version.files[0]!.sha512}`)).status,
          (await get(kind, `/v2/project/${project.slug}/version/${version.id}`)).status,
          (await get(kind, `/v2/project/${project.slug}/version/${of}`)).status,
        ];
        expect(answers, `${kind}: ${of}`).toEqual([
          open ? 200 : 404,
          open ? 200 : 404,
          lists ? 200 : 404,
          lists ? 200 : 404,
        ]);
      }
    }
  });
});

describe('the version list of a project', () => {
  let path: string;
  const days: Record<string, object> = {
    a: { loaders: ['fabric'], game_versions: ['1.20.1'] },
    b: {
      loaders: ['fabric', 'quilt'],
      game_versions: ['1.20.1', '1.21.1'],
      version_type: 'beta',
      featured: true,
    },
    c: { loaders: ['forge'], game_versions: ['1.21.1'] },
    d: { loaders: ['mrpack'], mrpack_loaders: ['forge'], game_versions: ['1.20.1'] },
    e: { loaders: ['iris'], game_versions: ['1.21.1'], status: 'archived' },
  };
  beforeAll(async () => {
    const project = await build.project(database.sql);
    for (const [index, [name, given]] of Object.entries(days).entries()) {
      const date_published = new Date(Date.UTC(2024, 0, index + 1));
      await build.version(database.sql, project, {
        name,
        changelog: `about ${name}`,
        date_published,
        ...given,
      });
    }
    path = `/v2/project/${project.slug}/version`;
  });
  const list = async (query: string) => {
    const answer = await api.call('GET', `${path}?${query}`);
    expect(answer.status, query).toBe(200);
    return ((await answer.json()) as Version[]).map(({ name }) => name).join('');
  };

  test.each([
    ['', 'edcba'],
    ['loaders=["fabric"]', 'dba'], // packs match every loader filter
    ['loaders=["fabric","forge"]', 'dcba'],
    ['loaders=["fabric"]&game_versions=["1.20.1"]', 'ba'], // but with game versions their own loaders count
    ['loaders=["forge"]&game_versions=["1.20.1"]', 'd'],
    ['game_versions=["1.21.1"]', 'ecb'],
    ['game_versions=["1.21.1","1.20.1"]&loaders=["quilt"]', 'b'],
    ['loaders=["fabric","canvas","iris","optifine","vanilla","minecraft","nobody"]', 'edba'],
    ['loaders=fabric&game_versions=[1', 'edcba'], // a value that does not parse is ignored
    ['loaders=[1]', 'edcba'],
    ['loaders=[]&game_versions=[]', 'edcba'],
    ['loaders=%5B%22%5Cu0000%22%5D', 'd'],
    ['version_type=beta', 'b'],
    ['limit=2', 'ed'],
    ['limit=2&offset=1', 'dc'],
    ['offset=4', 'a'],
    ['limit=0', ''],
    ['limit=4294967296', 'edcba'],
    ['offset=4294967296', ''],
    ['featured=true', 'b'],
    ['featured=false', 'edca'],
    ['featured=true&limit=3', 'edc'], // b is outside the window: each is the newest of a game version and loader
    ['cache=true&filter=', 'edcba'],
  ])('?%s', async (query, names) => {
    expect(await list(query)).toBe(names);
  });

  test.each([
    'limit=x',
    'limit=-1',
    'offset=1.5',
    'featured=yes',
    'version_type=final',
    'include_changelog=1',
  ])('?%s is 400', async (query) => {
    const answer = await api.call('GET', `${path}?${query}`);
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'request_error' }]);
  });

  test('changelogs are left out on request', async () => {
    const [first] = (await (await api.call('GET', path)).json()) as Version[];
    const [bare] = (await (await api.call('GET', `${path}?include_changelog=false`)).json()) as Version[];
    expect(first!.changelog).toBe('about e');
    expect(bare).toEqual({ ...first, changelog: undefined });
    expect(bare).not.toHaveProperty('changelog');
  });

  test('an unknown project: 404 with an empty body', async () => {
    const answer = await api.call('GET', '/v2/project/nobody-has-this/version');
    expect([answer.status, await answer.text()]).toEqual([404, '']);
  });
});

describe('by version number', () => {
  test('an id wins, else the oldest with that number', async () => {
    const project = await build.project(database.sql);
    const make = async (version_number: string, day: number) =>
      await build.version(database.sql, project, {
        version_number,
        date_published: new Date(Date.UTC(2024, 0, day)),
      });
    const newer = await make('2.0', 9);
    const older = await make('2.0', 3);
    const named = await make(newer.id, 1); // its number is another version's id
    const get = async (number: string) =>
      ((await (await api.call('GET', `/v2/project/${project.id}/version/${number}`)).json()) as Version).id;
    expect([await get('2.0'), await get(newer.id), await get(named.id)]).toEqual([
      older.id,
      newer.id,
      named.id,
    ]);
    for (const path of [`${project.id}/version/3.0`, `${project.id}/version/%00`, `nobody/version/2.0`]) {
      expect((await api.call('GET', `/v2/project/${path}`)).status).toBe(404);
    }
  });
});

describe('by ids', () => {
  test('in the order of the ids, whatever their ordering and date; each once; unknown ones left out', async () => {
    const project = await build.project(database.sql);
    const make = async (ordering: number | null, day: number) =>
      (
        await build.version(database.sql, project, {
          ordering,
          date_published: new Date(Date.UTC(2024, 0, day)),
        })
      ).id;
    const timer = await make(null, 5);
    const early = await make(null, 2);
    const second = await make(7, 1);
    const first = await make(-3, 9);
    const ids = JSON.stringify([timer, early, second, first, timer, 'zzzzzzzz']);
    const answer = await api.call('GET', `/v2/versions?ids=${encodeURIComponent(ids)}`);
    expect(((await answer.json()) as Version[]).map(({ id }) => id)).toEqual([timer, early, second, first]);
    const bare = (await (
      await api.call('GET', `/v2/versions?ids=${ids}&include_changelog=false`)
    ).json()) as Version[];
    expect(bare[0]).not.toHaveProperty('changelog');
    expect(await (await api.call('GET', '/v2/versions?ids=[]')).json()).toEqual([]);
  });

  test.each(['', '?ids=x', '?ids={}', '?ids=["a b"]', '?ids=[1]'])('/v2/versions%s is 400', async (query) => {
    expect((await api.call('GET', `/v2/versions${query}`)).status).toBe(400);
  });

  test('one id: invalid characters 400, unknown 404 with an empty body', async () => {
    expect((await api.call('GET', '/v2/version/a-b')).status).toBe(400);
    const answer = await api.call('GET', '/v2/version/zzzzzzzz');
    expect([answer.status, await answer.text()]).toEqual([404, '']);
  });

  test('800 ids, as launchers send them', async () => {
    const project = await build.project(database.sql);
    const ids: string[] = [];
    for (let i = 0; i < 20; i++) ids.push((await build.version(database.sql, project)).id);
    const all = [...ids, ...Array.from({ length: 780 }, (_, i) => `zz${String(i).padStart(6, '0')}`)];
    const answer = await api.call('GET', `/v2/versions?ids=${encodeURIComponent(JSON.stringify(all))}`);
    expect((await answer.json()) as Version[]).toHaveLength(20);
  });
});
