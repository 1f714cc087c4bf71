import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { zipOf } from '#db/files/test-zips.ts';
import * as build from '#db/seed/build.ts';
import { testDatabase } from '#db/test-database.ts';
import { testApi } from '../test-api.ts';
import { dataOf, form, jar, publish } from './test-versions.ts';

/** What real clients put on the wire and insist on in the answer. Source: reference clients.md. */

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

/** A multipart body byte by byte, as clients without FormData write it. */
function raw(parts: Array<[headers: string[], body: string | Buffer]>, boundary: string): Buffer {
  const chunks = parts.flatMap(([headers, body]) => [
    Buffer.from(`--${boundary}\r\n${headers.join('\r\n')}\r\n\r\n`),
    Buffer.from(body),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]);
}
const sendRaw = async (body: Buffer, boundary: string, headers: Record<string, string> = {}) =>
  await api.call('POST', '/v2/version', {
    token,
    body: body as never,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, ...headers },
  });

describe('publishing tools', () => {
  test('mc-publish: bare token, typed data part, then it unfeatures the older ones', async () => {
    const older = await publish(api, token, project.id, { featured: true });
    const bytes = await jar('mc-publish');
    const data = {
      ...dataOf(project.slug, {
        project_id: project.id,
        featured: true,
        status: 'listed',
        requested_status: undefined,
      }),
      file_parts: ['_0'],
      primary_file: '_0',
      changelog: '',
    };
    const made = await json(
      await sendRaw(
        raw(
          [
            [
              [
                'Content-Disposition: form-data; name="data"; filename="blob"',
                'Content-Type: application/json',
              ],
              JSON.stringify(data),
            ],
            [
              [
                'Content-Disposition: form-data; name="_0"; filename="mod-1.0.jar"',
                'Content-Type: application/java-archive',
              ],
              bytes,
            ],
          ],
          'formdata-undici-0123456789',
        ),
        'formdata-undici-0123456789',
      ),
    );
    const files = made.files as unknown as Array<{ hashes: { sha1: string }; url: string }>;
    expect(files[0]!.hashes.sha1).toBe(createHash('sha1').update(bytes).digest('hex'));
    const featured = (await (
      await api.call(
        'GET',
        `/v2/project/${project.id}/version?featured=true&loaders=["fabric"]&game_versions=["1.20.1"]`,
      )
    ).json()) as Json[];
    expect(featured.map(({ id }) => id)).toEqual([made.id, older.id]);
    const patch = await api.call('PATCH', `/v2/version/${older.id}`, {
      token,
      json: { featured: false, id: older.id },
    });
    expect([patch.status, await patch.text()]).toEqual([204, '']);
  });

  test('Minotaur: parts named after their files, data without a type, primary_file with several', async () => {
    const files = [
      ['mod-2.0.jar', await jar('minotaur')],
      ['mod-2.0-sources.jar', await jar('minotaur sources')],
    ] as const;
    const boundary = 'okhttp-7f3a';
    const data = dataOf(project.id, {
      file_parts: files.map(([name]) => name),
      primary_file: 'mod-2.0.jar',
      version_title: 'Two',
      name: undefined,
      version_body: 'changed',
      release_channel: 'beta',
      version_type: undefined,
      dependencies: [{ project_id: (await build.project(database.sql)).id, dependency_type: 'required' }],
    });
    const made = await json(
      await sendRaw(
        raw(
          [
            [['content-disposition: form-data; name=data'], JSON.stringify(data)],
            ...files.map(
              ([name, bytes]) =>
                [
                  [
                    `Content-Disposition: form-data; name="${name}"; filename="${name}"`,
                    'Content-Type: application/octet-stream',
                    'Content-Transfer-Encoding: binary',
                  ],
                  bytes,
                ] as [string[], Buffer],
            ),
          ],
          boundary,
        ),
        boundary,
        { authorization: `Bearer ${token}` },
      ),
    );
    expect(made).toMatchObject({ name: 'Two', changelog: 'changed', version_type: 'beta' });
    expect(new Date(made.date_published as string).toISOString()).toBe(made.date_published);
    expect((made.files as unknown as Json[]).map(({ filename, primary }) => [filename, primary])).toEqual([
      ['mod-2.0.jar', true],
      ['mod-2.0-sources.jar', false],
    ]);
    const missing = await api.call('GET', `/v2/project/${project.id}/version/404.0`);
    expect([missing.status, await missing.text()]).toEqual([404, '']);
  });

  test('a modpack: loaders become the pack loaders, its index becomes embedded dependencies', async () => {
    const hosted = await publish(api, token, project.id);
    const sha1 = hosted.files[0]!.hashes.sha1;
    const entry = (name: string, hash: string) => ({
      path: `mods/${name}`,
      hashes: { sha1: hash, sha512: 'b'.repeat(128) },
      downloads: [`https://github.com/a/b/releases/download/1/${name}`],
      fileSize: 10,
    });
    const index = {
      game: 'minecraft',
      formatVersion: 1,
      versionId: '1',
      name: 'Pack',
      files: [entry('hosted.jar', sha1), entry('other%20mod.jar', 'a'.repeat(40))],
      dependencies: { minecraft: '1.20.1', 'fabric-loader': '0.15.0' },
    };
    const bytes = await zipOf({
      'modrinth.index.json': JSON.stringify(index),
      'overrides/mods/loose.jar': 'x',
    });
    const pack = await build.project(database.sql, { owner: project.owner });
    const data = dataOf(pack.id, { file_parts: ['pack.mrpack'], loaders: ['fabric', 'mrpack'] });
    const made = await json(
      await api.call('POST', '/v2/version', {
        token,
        body: form(data, { 'pack.mrpack': ['pack.mrpack', bytes] }),
      }),
    );
    const embedded = { version_id: null, project_id: null, dependency_type: 'embedded' };
    expect(made).toMatchObject({
      loaders: ['fabric'],
      dependencies: [
        { version_id: hosted.id, project_id: project.id, file_name: null, dependency_type: 'embedded' },
        { ...embedded, file_name: 'other mod.jar' },
        { ...embedded, file_name: 'loose.jar' },
      ],
    });
    const [row] =
      await database.sql`select loaders, mrpack_loaders, project_types from projects where id = ${pack.id}`;
    expect(row).toEqual({ loaders: ['mrpack'], mrpack_loaders: ['fabric'], project_types: ['modpack'] });
    await api.call('PATCH', `/v2/version/${made.id}`, { token, json: { loaders: ['quilt'] } });
    expect((await json(await api.call('GET', `/v2/version/${made.id}`))).loaders).toEqual(['quilt']);
  });
});

describe('launchers and managers', () => {
  let id: string;
  let sha1: string;
  let sha512: string;
  beforeAll(async () => {
    const made = await publish(api, token, project.id, { version_number: '5.0.0' });
    id = made.id;
    ({ sha1, sha512 } = made.files[0]!.hashes);
  });

  /** What Prism, the Modrinth App, ferium and packwiz read of a version without checking that it is there. */
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

  test('Prism lists with raw brackets, newest first by the text of the date', async () => {
    const path = `/v2/project/${project.id}/version?game_versions=["1.20.1"]&loaders=["fabric"]`;
    for (const query of [path, `/v2/project/${project.id}/version`]) {
      const list = (await json(await api.call('GET', query))) as unknown as Json[];
      expect(list.length).toBeGreaterThan(2);
      list.forEach(readable);
      const dates = list.map(({ date_published }) => String(date_published));
      expect(dates).toEqual([...dates].sort().reverse());
    }
  });

  test('Prism asks for files and updates with indented JSON and absent filters', async () => {
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

  test('the Modrinth App takes arrays of updates by hash, releases before betas', async () => {
    const ask = async (version_types: string[]) =>
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
    const found = (await ask(['release'])) as unknown as Record<string, Json[]>;
    found[sha1]!.forEach(readable);
    expect(await ask(['alpha'])).toEqual({});
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

  test('browsers of the web client may call it from anywhere', async () => {
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
