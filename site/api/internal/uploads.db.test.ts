import { fork } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Upload } from 'tus-js-client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { upload_limits } from '#db/catalogue/uploads/rules.ts';
import { RunningHashes } from '#db/catalogue/uploads/running-hashes.ts';
import { deleteExpiredUploads } from '#db/catalogue/uploads/write.ts';
import { unrestrictedScopes } from '#db/platform/people/scopes/rules.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { zipOf } from '#db/testing/zips.ts';
import { type TestApi, testApi } from '../../testing/api.ts';
import { listeningApi } from '../../testing/listening-api.ts';
import { dataOf, form } from '../../testing/versions.ts';

const database = testDatabase();
const api = testApi(database);
const server = listeningApi(api);
/** The same installation in another process of the site, as far as tests can tell: nothing in memory is shared. */
const second = testApi(database);
const MiB = 1024 * 1024;
const no_manifest = await zipOf({ 'a.txt': 'x' });

let project: build.BuiltProject;
let token = '';
beforeEach(async () => {
  project = await build.project(database.sql);
  token = await build.token(database.sql, project.owner);
});
afterEach(() => {
  api.services.now = () => new Date();
});

/** A jar of Fabric with unique bytes. */
const jar = async (noise = 1000): Promise<Buffer> =>
  await zipOf(
    {
      'fabric.mod.json': JSON.stringify({ schemaVersion: 1, id: 'a', version: '1' }),
      noise: randomBytes(noise),
    },
    { store: true },
  );
const sha = (algorithm: string, bytes: Uint8Array) => createHash(algorithm).update(bytes).digest('hex');
const base64 = (text: string) => Buffer.from(text).toString('base64');

type Headers = Record<string, string>;
const tus = async (
  method: string,
  path: string,
  { headers = {}, body, as = token }: { headers?: Headers; body?: BodyInit; as?: string } = {},
): Promise<Response> =>
  await api.call(method, path, {
    ...(as ? { token: as } : {}),
    headers: { 'tus-resumable': '1.0.0', ...headers },
    ...(body === undefined ? {} : { body }),
  });

interface Announced {
  filename?: string;
  size?: number | string;
  project_id?: string;
  as?: string;
}
const announce = async ({
  filename = 'a.jar',
  size = 10,
  project_id = project.id,
  as = token,
}: Announced = {}) =>
  await tus('POST', '/_internal/uploads', {
    as,
    headers: {
      'upload-length': String(size),
      'upload-metadata': `filename ${base64(filename)},project_id ${base64(project_id)}`,
    },
  });
/** The path of a new upload. */
async function announced(given: Announced = {}): Promise<string> {
  const answer = await announce(given);
  expect(answer.status, await answer.clone().text()).toBe(201);
  return answer.headers.get('location')!;
}
const send = async (path: string, bytes: Uint8Array, offset: number, as = token): Promise<Response> =>
  await tus('PATCH', path, {
    as,
    headers: { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
    body: Buffer.from(bytes),
  });
const offsetOf = async (path: string): Promise<number> =>
  Number((await tus('HEAD', path)).headers.get('upload-offset'));
async function uploaded(bytes: Uint8Array, given: Announced = {}): Promise<string> {
  const path = await announced({ size: bytes.length, ...given });
  expect((await send(path, bytes, 0)).status).toBe(204);
  return path;
}
const idOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
const publish = async (ids: string[], given: object = {}): Promise<Response> =>
  await api.call('POST', '/_internal/versions', {
    token,
    json: { ...dataOf(project.id, { file_parts: ids, environment: 'client_only' }), ...given },
  });
const codeOf = async (answer: Response) =>
  ((await answer.json()) as { details?: { code?: string } }).details?.code ?? answer.status;
const pieces = () => readdirSync(join(api.services.settings.DATA_DIR, 'tmp'));

/** Uploads by the client that browsers use; `origin` may change between attempts. */
function client(bytes: Buffer, origin: () => string, given: { onProgress?: (sent: number) => void } = {}) {
  let upload: Upload;
  const done = new Promise<string>((resolve, reject) => {
    upload = new Upload(bytes, {
      endpoint: `${origin()}/_internal/uploads`,
      headers: { authorization: token },
      metadata: { filename: 'big.jar', project_id: project.id },
      chunkSize: 4 * MiB,
      retryDelays: null,
      onProgress: given.onProgress ?? null,
      onError: reject,
      onSuccess: () => resolve(idOf(upload.url!)),
    });
    upload.start();
  });
  return { done, upload: upload! };
}

test('a file that the client sends in pieces becomes a version with its bytes and hashes', async () => {
  const bytes = await jar(9 * MiB);
  const { done } = client(bytes, () => server.url);
  const id = await done;
  const answer = await publish([id]);
  expect(answer.status, await answer.clone().text()).toBe(200);
  const version = (await answer.json()) as { id: string; files: Array<{ hashes: object; size: number }> };
  expect(version.files).toEqual([
    expect.objectContaining({
      filename: 'big.jar',
      primary: true,
      size: bytes.length,
      hashes: { sha1: sha('sha1', bytes), sha512: sha('sha512', bytes) },
    }),
  ]);
  const stored = await api.services.storage.read(`data/${project.id}/versions/${version.id}/big.jar`);
  expect((await buffer(stored!)).equals(bytes)).toBe(true);
  expect(pieces()).toEqual([]);
  expect((await tus('HEAD', `/_internal/uploads/${id}`)).status).toBe(404);
});

test('a version that nobody named is called like its project and number, in our own form only', async () => {
  for (const [name, number] of [
    [undefined, '7.0'],
    [null, '7.1'],
    ['', '7.2'],
    [' ', '7.3'],
  ] as const) {
    const id = idOf(await uploaded(await jar(1000)));
    const answer = await publish([id], { name, version_number: number });
    expect(answer.status, await answer.clone().text()).toBe(200);
    const [{ title }] =
      (await database.sql`select title from projects where id = ${project.id}`) as never as [
        { title: string },
      ];
    expect(await answer.json()).toMatchObject({ name: `${title} ${number}` });
  }
  const id = idOf(await uploaded(await jar(1000)));
  const named = await publish([id], { name: 'A name', version_number: '7.4' });
  expect(await named.json()).toMatchObject({ name: 'A name' });
  const { status } = await api.call('POST', '/v3/version', {
    token,
    body: form(dataOf(project.id, { name: '' }), { file: ['b.jar', await jar(1000)] }),
  });
  expect(status).toBe(400);
});

test('is hashed while it arrives, also over several requests and after a broken one', async () => {
  const bytes = await jar(MiB);
  const hashes = new RunningHashes();
  const all = async (from: number, to: number) => {
    for await (const _ of hashes.through('A', from, Readable.from([bytes.subarray(from, to)])));
  };
  await all(0, 1000);
  await all(1000, bytes.length);
  expect(hashes.finished('A', bytes.length)).toEqual({
    sha1: sha('sha1', bytes),
    sha512: sha('sha512', bytes),
  });
  // the disk took less than was hashed, or another process a piece
  hashes.agree('A', 1000);
  expect(hashes.finished('A', bytes.length)).toBeNull();
  await all(0, 1000);
  await all(2000, bytes.length);
  expect(hashes.finished('A', bytes.length)).toBeNull();
});

test('a server that is killed during an upload continues it after its restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-resume-'));
  const own = fileURLToPath(
    new URL(`../../../node_modules/node-${process.platform}-${process.arch}/bin/node`, import.meta.url),
  );
  const start = async () => {
    const script = fileURLToPath(new URL('../../testing/kill-server.ts', import.meta.url));
    const child = fork(script, [database.address, database.name, folder], {
      ...(existsSync(own) ? { execPath: own } : {}),
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const [port] = (await once(child, 'message')) as [number];
    return { child, origin: `http://127.0.0.1:${port}` };
  };
  let running = await start();
  try {
    const bytes = await jar(24 * MiB);
    let killed: Promise<unknown> | undefined;
    const first = client(bytes, () => running.origin, {
      onProgress: (sent) => {
        if (sent < 10 * MiB || killed) return;
        killed = once(running.child, 'exit');
        running.child.kill('SIGKILL');
      },
    });
    await expect(first.done).rejects.toThrow();
    await killed;
    running = await start();
    const path = new URL(first.upload.url!).pathname;
    const head = { authorization: token, 'tus-resumable': '1.0.0' };
    const there = await fetch(`${running.origin}${path}`, { method: 'HEAD', headers: head });
    const offset = Number(there.headers.get('upload-offset'));
    expect(offset).toBeGreaterThan(0);
    expect(offset).toBeLessThan(bytes.length);
    const sent: number[] = [];
    await new Promise<void>((resolve, reject) => {
      const second = new Upload(bytes, {
        uploadUrl: `${running.origin}${path}`,
        headers: { authorization: token },
        chunkSize: 4 * MiB,
        onProgress: (count) => sent.push(count),
        onError: reject,
        onSuccess: () => resolve(),
      });
      second.start();
    });
    expect(Math.min(...sent)).toBeGreaterThanOrEqual(offset);
    const answer = await fetch(`${running.origin}/_internal/versions`, {
      method: 'POST',
      headers: { authorization: token, 'content-type': 'application/json' },
      body: JSON.stringify(dataOf(project.id, { file_parts: [idOf(path)], environment: 'client_only' })),
    });
    expect(await answer.json()).toMatchObject({
      files: [{ size: bytes.length, hashes: { sha1: sha('sha1', bytes), sha512: sha('sha512', bytes) } }],
    });
  } finally {
    running.child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
  // two servers start, one after the other, beside other tests
}, 120_000);

describe('two processes of the site', () => {
  let path = '';
  const bytes = randomBytes(2 * MiB);
  const by = async (process: TestApi, from: number, body: Uint8Array | ReadableStream) =>
    await process.call('PATCH', path, {
      token,
      headers: {
        ...{ 'tus-resumable': '1.0.0', 'upload-offset': String(from) },
        'content-type': 'application/offset+octet-stream',
      },
      body: body instanceof Uint8Array ? Buffer.from(body) : body,
    });
  const stored = async () => {
    const open = await (await api.services.storage.partial(idOf(path)))!.open();
    const content = await open.readAt(0, 3 * MiB);
    await open.close();
    return content;
  };
  beforeEach(async () => {
    second.services.storage = api.services.storage;
    path = await announced({ size: bytes.length });
  });

  test('one that gets an upload anew ends the dead connection of the other, and no byte is lost or doubled', async () => {
    const arrived = { resolve: () => {} };
    const begun = new Promise<void>((resolve) => (arrived.resolve = resolve));
    let sent = 0;
    // never ends
    const dead = new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (sent++ === 0) return controller.enqueue(bytes.subarray(0, MiB));
        arrived.resolve();
        await new Promise(() => {});
      },
    });
    const first = by(api, 0, dead);
    await begun;
    const there = await second.call('HEAD', path, { token, headers: { 'tus-resumable': '1.0.0' } });
    expect(there.headers.get('upload-offset')).toBe(String(MiB));
    await first; // ended, although its body never did
    expect((await by(second, MiB, bytes.subarray(MiB))).status).toBe(204);
    expect((await stored()).equals(bytes)).toBe(true);
  });

  test('store a piece that both get at the same time once', async () => {
    await Promise.all([api, second, api, second].map((process) => by(process, 0, bytes)));
    const rest = Number(
      (await second.call('HEAD', path, { token, headers: { 'tus-resumable': '1.0.0' } })).headers.get(
        'upload-offset',
      ),
    );
    if (rest < bytes.length) expect((await by(api, rest, bytes.subarray(rest))).status).toBe(204);
    expect((await stored()).equals(bytes)).toBe(true);
  });

  test('publish a file of which each got a part', async () => {
    const file = await jar(MiB);
    path = await announced({ size: file.length });
    expect((await by(api, 0, file.subarray(0, 1000))).status).toBe(204);
    expect((await by(second, 1000, file.subarray(1000, 2000))).status).toBe(204);
    expect((await by(api, 2000, file.subarray(2000))).status).toBe(204);
    const answer = await publish([idOf(path)]);
    expect(await answer.json()).toMatchObject({
      files: [{ hashes: { sha1: sha('sha1', file), sha512: sha('sha512', file) } }],
    });
  });
});

describe('goes through the checks of every upload:', () => {
  test.each<[string, Buffer, string]>([
    ['no archive', Buffer.from('no archive'), 'a.jar'],
    ['no manifest', no_manifest, 'a.jar'],
    ['a modpack without index', no_manifest, 'a.mrpack'],
  ])('%s is refused as by the API', async (_, bytes, filename) => {
    const data = dataOf(project.id, { environment: 'client_only' });
    const body = form(data, { file: [filename, bytes] });
    const byForm = await api.call('POST', '/v3/version', { token, body });
    const answer = await publish([idOf(await uploaded(bytes, { filename }))]);
    expect(answer.status).toBe(byForm.status);
    expect(await answer.json()).toEqual(await byForm.json());
  });

  test('a refused version leaves its uploads, so that only the field is sent again', async () => {
    const id = idOf(await uploaded(await jar()));
    expect(await codeOf(await publish([id], { game_versions: ['0.0'] }))).toBe('game_version_unknown');
    expect((await publish([id])).status).toBe(200);
  });

  test('a file that another project has', async () => {
    const bytes = await jar();
    expect((await publish([idOf(await uploaded(bytes))])).status).toBe(200);
    project = await build.project(database.sql, { owner: project.owner });
    expect(await codeOf(await publish([idOf(await uploaded(bytes))]))).toBe('file_duplicate');
  });

  test('an upload whose bytes another request discarded meanwhile', async () => {
    const id = idOf(await uploaded(await jar()));
    const { storage } = api.services;
    const staged = (await storage.partial(id))!;
    const looks = vi.spyOn(storage, 'partial').mockImplementationOnce(async () => {
      await staged.discard();
      return staged;
    });
    expect(await codeOf(await publish([id]))).toBe('part_missing');
    looks.mockRestore();
  });

  test('two requests with one upload make one version', async () => {
    const id = idOf(await uploaded(await jar(MiB)));
    const answers = await Promise.all([publish([id]), publish([id], { version_number: '2' })]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toContain(200);
    expect(statuses.filter((status) => status >= 500 && status !== 503)).toEqual([]);
    const [row] =
      await database.sql`select count(*)::int as n from versions where project_id = ${project.id}`;
    expect(row).toEqual({ n: 1 });
  });

  test('an upload that is not complete', async () => {
    const path = await announced({ size: 10 });
    expect(await codeOf(await publish([idOf(path)]))).toBe('upload_unfinished');
    await send(path, Buffer.from('12345'), 0);
    expect(await codeOf(await publish([idOf(path)]))).toBe('upload_unfinished');
  });

  test.each(['AABBCCDD', 'x'.repeat(400), 'a\u0000b', '\ud800', '../../etc'])(
    'the unknown upload %j',
    async (id) => {
      expect(await codeOf(await publish([id]))).toBe('part_missing');
    },
  );

  test('an upload for another project', async () => {
    const id = idOf(await uploaded(await jar()));
    project = await build.project(database.sql, { owner: project.owner });
    expect(await codeOf(await publish([id]))).toBe('part_missing');
  });
});

describe('pieces', () => {
  test('arrive in order; a wrong offset changes nothing', async () => {
    const path = await announced({ size: 10 });
    expect((await send(path, Buffer.from('abcd'), 0)).headers.get('upload-offset')).toBe('4');
    for (const offset of [0, 3, 5, 10])
      expect((await send(path, Buffer.from('xx'), offset)).status).toBe(409);
    expect(await offsetOf(path)).toBe(4);
    expect((await send(path, Buffer.from('efghij'), 4)).status).toBe(204);
    const staged = await api.services.storage.partial(idOf(path));
    const open = await staged!.open();
    expect(String(await open.readAt(0, 99))).toBe('abcdefghij');
    await open.close();
  });

  test('never exceed what was announced', async () => {
    const path = await announced({ size: 4 });
    expect((await send(path, Buffer.from('abcdef'), 0)).status).toBe(413);
    expect(await offsetOf(path)).toBeLessThanOrEqual(4);
  });

  test('sent twice at the same time are stored once', async () => {
    const bytes = randomBytes(2 * MiB);
    const path = await announced({ size: bytes.length });
    const answers = await Promise.all([1, 2, 3].map(async () => (await send(path, bytes, 0)).status));
    const offset = await offsetOf(path);
    expect(answers.filter((status) => status >= 500)).toEqual([]);
    if (offset < bytes.length) expect((await send(path, bytes.subarray(offset), offset)).status).toBe(204);
    const open = await (await api.services.storage.partial(idOf(path)))!.open();
    expect((await open.readAt(0, 3 * MiB)).equals(bytes)).toBe(true);
    await open.close();
  });

  test('that break off are kept as far as they arrived', async () => {
    const path = await announced({ size: 1000 });
    const broken = new ReadableStream({
      pull(controller) {
        if (sent++ === 0) controller.enqueue(new Uint8Array(300));
        else controller.error(new Error('gone'));
      },
    });
    let sent = 0;
    const answer = await tus('PATCH', path, {
      headers: { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
      body: broken,
    });
    expect(await codeOf(answer)).toBe('upload_incomplete');
    const offset = await offsetOf(path);
    expect(offset).toBeLessThanOrEqual(300);
    expect((await send(path, new Uint8Array(1000 - offset), offset)).status).toBe(204);
  });

  test('are gone when the upload is cancelled', async () => {
    const path = await uploaded(Buffer.from('abc'));
    expect((await tus('DELETE', path)).status).toBe(204);
    expect((await tus('HEAD', path)).status).toBe(404);
    expect(pieces().filter((name) => name.includes(idOf(path)))).toEqual([]);
  });

  test('are kept for a day after the last byte, then swept', async () => {
    const path = await announced({ size: 10 });
    await send(path, Buffer.from('abc'), 0);
    const start = Date.now();
    const sweptAfter = (hours: number) => {
      api.services.now = () => new Date(start + hours * 3_600_000);
      return deleteExpiredUploads(database.sql, api.services.storage, api.services.now());
    };
    await sweptAfter(upload_limits.hours - 0.1);
    expect(await offsetOf(path)).toBe(3);
    await send(path, Buffer.from('de'), 3);
    await sweptAfter(upload_limits.hours + 1);
    expect(await offsetOf(path)).toBe(5);
    api.services.now = () => new Date(start + 3 * 24 * 3_600_000);
    expect((await tus('HEAD', path)).status).toBe(404); // also before the job runs
    expect(await sweptAfter(72)).toBeGreaterThan(0);
    expect(pieces().filter((name) => name.includes(idOf(path)))).toEqual([]);
  });
});

describe('who may upload:', () => {
  test('the uploads of others look absent', async () => {
    const path = await uploaded(await jar());
    const person = await build.user(database.sql);
    const stranger = await build.token(database.sql, person);
    const absent = '/_internal/uploads/AABBCCDD';
    for (const as of [
      stranger,
      await build.token(database.sql, await build.user(database.sql, { role: 'admin' })),
    ])
      for (const method of ['HEAD', 'DELETE']) {
        const [one, other] = [await tus(method, path, { as }), await tus(method, absent, { as })];
        expect([one.status, await one.text()]).toEqual([other.status, await other.text()]);
        expect(one.status).toBe(404);
      }
    expect((await send(path, Buffer.from('x'), 0, stranger)).status).toBe(404);
    token = stranger;
    await build.member(database.sql, project.team, person, { permissions: 1023 });
    expect(await codeOf(await publish([idOf(path)]))).toBe('part_missing');
  });

  test('only who may publish in the project', async () => {
    expect((await announce({ as: '' })).status).toBe(401);
    const scopes = unrestrictedScopes.filter((scope) => scope !== 'VERSION_CREATE');
    const narrow = await build.token(database.sql, project.owner, scopes);
    expect((await announce({ as: narrow })).status).toBe(401);
    const stranger = await build.token(database.sql, await build.user(database.sql));
    expect((await announce({ as: stranger })).status).toBe(401);
    expect(await codeOf(await announce({ project_id: 'AABBCCDD' }))).toBe('project_unknown');
    const path = await uploaded(await jar());
    await database.sql`delete from team_members where team_id = ${project.team}`;
    expect((await publish([idOf(path)])).status).toBe(401);
  });

  test('as many and as much as a person may', async () => {
    for (let open = 0; open < upload_limits.open; open++) await announced();
    expect(await codeOf(await announce())).toBe('uploads_too_many');
    project = await build.project(database.sql);
    token = await build.token(database.sql, project.owner);
    await database.sql`update users set upload_limit_bytes = 100 where id = ${project.owner.id}`;
    await announced({ size: 60 });
    expect((await announce({ size: 60 })).status).toBe(429);
    await announced({ size: 40 });
  });

  test('many announced at the same time, too', async () => {
    const answers = await Promise.all(Array.from({ length: 24 }, () => announce()));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(upload_limits.open);
  });

  test.each<[string, Announced, string | number]>([
    ['a size above the limit', { size: 2 ** 45 }, 'file_too_large'],
    ['no number', { size: 'x' }, 400],
    ['a negative size', { size: -1 }, 400],
    ['a name with a direction mark', { filename: 'a\u202Exe.jar' }, 'file_name_invalid'],
    ['a name with NUL', { filename: 'a\u0000.jar' }, 'invalid_input'],
    ['a path as a name', { filename: '../a.jar' }, 'file_name_invalid'],
    ['another type', { filename: 'a.exe' }, 'file_type_unsupported'],
    ['no project', { project_id: 'x/y' }, 'invalid_input'],
  ])('not %s', async (_, given, code) => {
    expect(await codeOf(await announce(given))).toBe(code);
  });

  test('not with requests that are none of the protocol', async () => {
    const path = await announced();
    expect((await api.call('PATCH', path, { token, body: 'x' })).status).toBe(412);
    expect((await tus('PATCH', path, { body: 'x' })).status).toBeGreaterThanOrEqual(400);
    for (const id of ['%00', '%2e%2e%2f', 'x'.repeat(60), '%f0%9f']) {
      const { status } = await tus('HEAD', `/_internal/uploads/${id}`);
      expect([400, 404]).toContain(status);
    }
  });
});

describe('files are added to a version', () => {
  let version = '';
  beforeEach(async () => {
    const answer = await publish([idOf(await uploaded(await jar()))]);
    version = ((await answer.json()) as { id: string }).id;
  });
  const add = async (uploads: string[], given: object = {}, as = token) =>
    await api.call('POST', `/_internal/versions/${version}/files`, {
      token: as,
      json: { uploads, ...given },
    });
  const filenames = async () => {
    const answer = await api.call('GET', `/v2/version/${version}`, { token });
    return ((await answer.json()) as { files: Array<{ filename: string; file_type: string | null }> }).files;
  };

  test('with their types, and the uploads are gone', async () => {
    const id = idOf(await uploaded(await jar(), { filename: 'a-sources.jar' }));
    expect((await add([id], { file_types: { [id]: 'sources-jar' } })).status).toBe(204);
    expect(await filenames()).toEqual([
      expect.objectContaining({ filename: 'a.jar', primary: true }),
      expect.objectContaining({ filename: 'a-sources.jar', file_type: 'sources-jar', primary: false }),
    ]);
    expect(await codeOf(await add([id]))).toBe('part_missing');
  });

  test('by no outsider, and nothing changes when one is refused', async () => {
    const stranger = await build.token(database.sql, await build.user(database.sql));
    const id = idOf(await uploaded(await jar(), { filename: 'b.jar' }));
    expect(await codeOf(await add([id], {}, stranger))).toBe('not_a_member');
    const same = idOf(await uploaded(await jar()));
    expect(await codeOf(await add([same]))).toBe('file_name_repeated');
    const broken = idOf(await uploaded(Buffer.from('no archive'), { filename: 'c.jar' }));
    expect(await codeOf(await add([broken]))).toBe('archive_unreadable');
    expect(await codeOf(await add([]))).toBe('invalid_input');
    expect(await filenames()).toHaveLength(1);
    expect((await add([id])).status).toBe(204);
  });
});
