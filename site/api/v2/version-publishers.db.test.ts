import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { zipOf } from '#db/testing/zips.ts';
import { testApi } from '../../testing/api.ts';
import { dataOf, form, jar, publish } from '../../testing/versions.ts';

/** What publishing tools send, and rely on in the answer. Source: clients §1. */

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
  test('mc-publish: bare token, typed data part, then unfeatures the older versions', async () => {
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
    expect(made.date_published).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/);
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
    const foreign = await build.project(database.sql, { status: 'draft' });
    const hidden = await build.version(database.sql, foreign);
    const open = await build.project(database.sql);
    const draft = await build.version(database.sql, open, { status: 'draft' });
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
      files: [
        entry('hosted.jar', sha1),
        entry('other%20mod.jar', 'a'.repeat(40)),
        entry('hidden.jar', hidden.files[0]!.sha1),
        entry('draft.jar', draft.files[0]!.sha1),
      ],
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
        { ...embedded, file_name: 'hidden.jar' },
        { ...embedded, file_name: 'draft.jar' },
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
