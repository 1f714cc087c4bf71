import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import yauzl from 'yauzl';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { zipOf } from '#db/testing/zips.ts';
import { filesHandler } from '../../platform/http/stored-files.ts';
import { testApi } from '../../testing/api.ts';
import { form, jar } from '../../testing/versions.ts';

/** A modpack of our own files, downloaded and compared file by file as installers do. Source: api-v3 §9.3. */
const handler: { handle: RequestListener } = { handle: (_, res) => res.end() };
const cdn = createServer((req, res) => handler.handle(req, res)).listen(0, '127.0.0.1');
await once(cdn, 'listening');
const address = `http://127.0.0.1:${(cdn.address() as AddressInfo).port}`;

const database = testDatabase();
const api = testApi(database, { CDN_URL: address });

interface File {
  filename: string;
  url: string;
  size: number;
  hashes: { sha1: string; sha512: string };
}
interface Version {
  id: string;
  project_id: string;
  files: [File, ...File[]];
  dependencies: unknown[];
  mrpack_loaders: string[];
}

let token: string;
let projects: build.BuiltProject[];
let mods: Version[];
beforeAll(async () => {
  const owner = await build.user(database.sql);
  token = await build.token(database.sql, owner);
  projects = [];
  for (let i = 0; i < 4; i++) projects.push(await build.project(database.sql, { owner }));
  mods = [];
  for (const [i, { id }] of projects.slice(0, 3).entries())
    mods.push(
      (await (await publish(id, {}, `a mod (${i}) +é.jar`, await jar(`pack ${i}`))).json()) as Version,
    );
  await database.sql`update projects set status = 'draft' where id = ${projects[2]!.id}`;
  const { storage, log } = api.services;
  const files = filesHandler({
    gone: async () => null,
    storage,
    hidden: { access: () => 'open' },
    blocked: { reason: () => null },
    usage: { count: () => {} },
    settings: { SITE_URL: 'https://cairn.example', COUNTRY_HEADER: undefined },
    addressOf: () => '127.0.0.1',
    log,
  });
  handler.handle = (req, res) => void (files(req, res) || res.writeHead(404).end());
});
afterAll(() => cdn.close());

const publish = async (project_id: string, given: object, filename: string, bytes: Buffer) =>
  await api.call('POST', '/v3/version', {
    token,
    body: form(
      {
        project_id,
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
      },
      { file: [filename, bytes] },
    ),
  });

const listedIn = ({ filename, url, size, hashes }: File, download = url) => ({
  path: `mods/${filename}`,
  hashes,
  env: { client: 'required', server: 'optional' },
  downloads: [download],
  fileSize: size,
});
const packOf = async (files: object[], overrides: Record<string, string> = {}) =>
  await zipOf({
    'modrinth.index.json': JSON.stringify({
      game: 'minecraft',
      formatVersion: 1,
      versionId: '1.0.0',
      name: 'Our pack',
      files,
      dependencies: { minecraft: '1.20.1', 'fabric-loader': '0.16.0' },
    }),
    ...overrides,
  });
const pack = { loaders: ['mrpack'], mrpack_loaders: ['fabric'] };

async function indexOf(bytes: Buffer): Promise<{ files: Array<ReturnType<typeof listedIn>> }> {
  const zip = await yauzl.fromBufferPromise(bytes);
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName !== 'modrinth.index.json') continue;
    return JSON.parse((await buffer(await zip.openReadStreamPromise(entry))).toString());
  }
  throw new Error('the pack has no index');
}

test('every file of a published pack is at its address, with its hashes and size', async () => {
  const bytes = await packOf(
    mods.map(({ files }) => listedIn(files[0])),
    {
      'overrides/mods/inside.jar': 'x',
      'client-overrides/resourcepacks/faithful.zip': 'y',
      'overrides/options.txt': 'z',
    },
  );
  const answer = await publish(projects[3]!.id, pack, 'our pack.mrpack', bytes);
  expect(answer.status).toBe(200);
  const made = (await answer.json()) as Version;
  expect(made.mrpack_loaders).toEqual(['fabric']);
  const embedded = { dependency_type: 'embedded', file_name: null };
  const nameless = { ...embedded, version_id: null, project_id: null };
  // the owner may see the draft project too, so its file is known
  expect(made.dependencies).toEqual([
    ...mods.map(({ id, project_id }) => ({ ...embedded, version_id: id, project_id })),
    { ...nameless, file_name: 'inside.jar' },
    { ...nameless, file_name: 'faithful.zip' },
  ]);

  const download = await fetch(made.files[0].url);
  expect(download.headers.get('content-type')).toBe('application/x-modrinth-modpack+zip');
  const { files } = await indexOf(Buffer.from(await download.arrayBuffer()));
  expect(files).toHaveLength(3);
  for (const { downloads, hashes, fileSize } of files) {
    expect(downloads[0]!.startsWith(`${address}/data/`)).toBe(true);
    const got = Buffer.from(await (await fetch(downloads[0]!)).arrayBuffer());
    expect(got.length).toBe(fileSize);
    for (const algorithm of ['sha1', 'sha512'] as const)
      expect(createHash(algorithm).update(got).digest('hex')).toBe(hashes[algorithm]);
  }
});

test.each<[string, (file: File) => string, string]>([
  ['another host', () => 'https://files.example.test/a.jar', 'mrpack_download_host'],
  ['another port of ours', ({ url }) => url.replace(address, 'http://127.0.0.1:9'), 'mrpack_download_host'],
  [
    'our address as user name',
    ({ url }) => `http://${new URL(url).host}@example.test/a.jar`,
    'mrpack_download_host',
  ],
  [
    'an address that is not canonical',
    ({ url }) => url.replace('/data/', '/data/./'),
    'mrpack_download_invalid',
  ],
  ['another scheme', () => 'ftp://github.com/a.jar', 'mrpack_download_invalid'],
])('a pack may not download from %s', async (_, changed, code) => {
  const file = mods[0]!.files[0];
  const answer = await publish(
    projects[3]!.id,
    pack,
    'pack.mrpack',
    await packOf([listedIn(file, changed(file))]),
  );
  expect([answer.status, await answer.json()]).toMatchObject([400, { details: { code } }]);
});
