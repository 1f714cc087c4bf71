import { beforeAll, describe, expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';
import { publish } from '../../testing/versions.ts';

/** What launchers and mod managers send, and rely on in the answer. Source: clients §1. */

const database = testDatabase();
const api = testApi(database);

let project: build.BuiltProject;
let token: string;

beforeAll(async () => {
  project = await build.project(database.sql);
  token = await build.token(database.sql, project.owner);
});

type Json = Record<string, unknown>;
const json = async (answer: Response): Promise<Json> => {
  expect(answer.status, await answer.clone().text()).toBe(200);
  return (await answer.json()) as Json;
};

describe('launchers and managers', () => {
  let id: string;
  let sha1: string;
  let sha512: string;
  beforeAll(async () => {
    for (let older = 0; older < 3; older++) await publish(api, token, project.id);
    const made = await publish(api, token, project.id, { version_number: '5.0.0' });
    id = made.id;
    ({ sha1, sha512 } = made.files[0]!.hashes);
  });

  /** The fields of a version that Prism, the Modrinth App, ferium and packwiz read without checking that they exist. */
  function readable(version: Json) {
    expect(version).toMatchObject({
      id: expect.any(String),
      project_id: expect.any(String),
      author_id: expect.any(String),
      featured: expect.any(Boolean),
      name: expect.any(String),
      version_number: expect.any(String),
      changelog: expect.any(String),
      date_published: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
      downloads: expect.any(Number),
      version_type: expect.stringMatching(/^(release|beta|alpha)$/),
      status: expect.any(String),
      environment: expect.any(String),
    });
    for (const field of ['changelog_url', 'requested_status']) expect(version).toHaveProperty(field);
    for (const list of [version.game_versions, version.loaders, version.files] as unknown[][]) {
      expect(list.length).toBeGreaterThan(0);
    }
    for (const file of version.files as unknown as Json[]) {
      expect(file).toMatchObject({
        filename: expect.any(String),
        primary: expect.any(Boolean),
        url: expect.stringMatching(/^https?:\/\//),
        size: expect.any(Number),
        hashes: {
          sha1: expect.stringMatching(/^[0-9a-f]{40}$/),
          sha512: expect.stringMatching(/^[0-9a-f]{128}$/),
        },
      });
      expect(file).toHaveProperty('file_type');
    }
    for (const dependency of version.dependencies as unknown as Json[]) {
      expect(Object.keys(dependency).sort()).toEqual([
        'dependency_type',
        'file_name',
        'project_id',
        'version_id',
      ]);
    }
  }

  test('Prism lists with raw brackets, newest first', async () => {
    const path = `/v2/project/${project.id}/version?game_versions=["1.20.1"]&loaders=["fabric"]`;
    for (const query of [path, `/v2/project/${project.id}/version`]) {
      const list = (await json(await api.call('GET', query))) as unknown as Json[];
      expect(list.length).toBeGreaterThan(2);
      list.forEach(readable);
      const dates = list.map(({ date_published }) => Date.parse(String(date_published)));
      expect(dates).toEqual([...dates].sort((a, b) => b - a));
    }
  });

  test('Prism requests files and updates with indented JSON and absent filters', async () => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ algorithm: 'sha512', hashes: [sha512, 'f'.repeat(128)] }, null, 4);
    const files = await json(await api.call('POST', '/v2/version_files', { body, headers }));
    expect(Object.keys(files)).toEqual([sha512]);
    readable(files[sha512] as never);
    readable(await json(await api.call('GET', `/v2/version_file/${sha512}?algorithm=sha512`)));
    for (const filters of ['{}', '{"loaders": ["fabric"]}', '{"game_versions": ["1.20.1"]}']) {
      readable(
        await json(
          await api.call('POST', `/v2/version_file/${sha512}/update?algorithm=sha512`, {
            body: filters,
            headers,
          }),
        ),
      );
    }
    const all = JSON.stringify({
      algorithm: 'sha512',
      hashes: [sha512],
      loaders: ['fabric'],
      game_versions: ['1.20.1'],
    });
    readable(
      (await json(await api.call('POST', '/v2/version_files/update', { body: all, headers })))[
        sha512
      ] as never,
    );
  });

  test('the Modrinth App accepts arrays of updates by hash, releases before betas', async () => {
    const request = async (version_types: string[]) =>
      await json(
        await api.call('POST', '/v2/version_files/update_many', {
          json: {
            algorithm: 'sha1',
            hashes: [sha1],
            loaders: ['fabric'],
            game_versions: ['1.20.1'],
            version_types,
          },
        }),
      );
    const found = (await request(['release'])) as unknown as Record<string, Json[]>;
    found[sha1]!.forEach(readable);
    expect(await request(['alpha'])).toEqual({});
    const bare = (await json(
      await api.call('GET', `/v2/project/${project.id}/version?include_changelog=false`),
    )) as unknown as Json[];
    expect(bare[0]).not.toHaveProperty('changelog');
  });

  test('packwiz adds loaders that the project does not have', async () => {
    const loaders = '["fabric","quilt","canvas","iris","optifine","vanilla","minecraft","datapack"]';
    const list = await json(
      await api.call(
        'GET',
        `/v2/project/${project.slug}/version?game_versions=["1.20.1"]&loaders=${loaders}`,
      ),
    );
    expect((list as unknown as Json[]).map((version) => version.id)).toContain(id);
  });

  test('web clients may call it from any origin', async () => {
    const preflight = await api.call('OPTIONS', '/v2/version_files', {
      headers: {
        origin: 'https://pack.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    });
    expect(preflight.headers.get('access-control-max-age')).toBe('3600');
    expect((await api.call('GET', `/v2/version/${id}`)).headers.get('access-control-allow-origin')).toBe('*');
  });
});
