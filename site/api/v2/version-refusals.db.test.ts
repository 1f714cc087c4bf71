import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { forgedZip, zipOf } from '#db/testing/zips.ts';
import { testApi } from '../../testing/api.ts';
import { dataOf, type Files, form, jar, onDisk, publish } from '../../testing/versions.ts';

const database = testDatabase();
const api = testApi(database, { MAX_FILE_BYTES: '100000' });

let owner: build.BuiltUser;
let project: build.BuiltProject;
let token: string;
let before: unknown;

/** Everything that a refused upload must leave unchanged. */
async function state() {
  const [rows] = await database.sql`
    select (select count(*) from versions) as versions, (select count(*) from files) as files,
      (select count(*) from dependencies) as dependencies, (select count(*) from events) as events,
      (select array_agg(updated order by id) from projects) as updated`;
  return { rows, disk: await onDisk(api.services) };
}

beforeAll(async () => {
  owner = await build.user(database.sql);
  project = await build.project(database.sql, { owner });
  token = await build.token(database.sql, owner);
  await publish(api, token, project.id);
});
beforeEach(async () => {
  before = await state();
});

const send = async (body: BodyInit, headers: Record<string, string> = {}, as = token) =>
  await api.call('POST', '/v2/version', { token: as, body, headers });

async function refused(answer: Response, status = 400, error = 'invalid_input', code?: string) {
  const reported = await answer.json();
  expect([answer.status, reported]).toMatchObject([status, { error, description: expect.any(String) }]);
  if (code) expect(reported).toMatchObject({ details: { code } });
  expect(await state()).toEqual(before);
}

describe('invalid data', () => {
  const dependency = (given: object) => ({ dependencies: [{ dependency_type: 'required', ...given }] });
  test.each<[string, Record<string, unknown>]>([
    ['no project', { project_id: undefined }],
    ['a project that does not exist', { project_id: 'zzzzzzzz' }],
    ['a slug for a project', { project_id: 'my-project' }],
    ['no file_parts', { file_parts: undefined }],
    ['empty file_parts', { file_parts: [] }],
    ['a part twice', { file_parts: ['file', 'file'] }],
    ['a part that does not come', { file_parts: ['file', 'other'] }],
    ['a file nobody declared', { file_parts: ['other'] }],
    ['no version number', { version_number: undefined }],
    ['a version number of 33 characters', { version_number: '1'.repeat(33) }],
    ['a version number with a slash', { version_number: '1/2' }],
    ['no name', { name: undefined }],
    ['a blank name', { name: ' \t' }],
    ['a name of 65 characters', { name: '🎉'.repeat(65) }],
    ['a changelog of 65,537 characters', { changelog: 'x'.repeat(65_537) }],
    ['a changelog with U+0000', { changelog: '\0' }],
    ['a name with half a character', { name: 'a\ud800b' }],
    ['no dependencies', { dependencies: undefined }],
    ['a picture of the editor that does not exist', { uploaded_images: ['zzzzzzzz'] }],
    ['an unknown kind of dependency', dependency({ project_id: 'AABBCCDD', dependency_type: 'wanted' })],
    ['a dependency on an unknown project', dependency({ project_id: 'zzzzzzzz' })],
    ['a dependency on an unknown version', dependency({ version_id: 'zzzzzzzz' })],
    ['a dependency on nothing', dependency({})],
    ['a dependency on what is no id', dependency({ project_id: 'fabric-api' })],
    ['a dependency twice', { dependencies: Array(2).fill({ file_name: 'x', dependency_type: 'optional' }) }],
    ['no game version', { game_versions: [] }],
    ['an unknown game version', { game_versions: ['1.20.1', '2.0'] }],
    ['no type', { version_type: undefined }],
    ['an unknown type', { version_type: 'snapshot' }],
    ['no loader', { loaders: [] }],
    ['an unknown loader', { loaders: ['fabric', 'fabrik'] }],
    ['the loader of modpacks for a mod', { loaders: ['mrpack'] }],
    ['no featured', { featured: undefined }],
    ['featured as text', { featured: 'true' }],
    ['a primary file that is no part', { primary_file: 'mod.jar' }],
    ['a status nobody may set', { status: 'scheduled' }],
    ['an unknown file type', { file_types: { file: 'cool' } }],
    ['a signature that is a jar', { file_types: { file: 'signature' } }],
    ['an unknown environment', { environment: 'both' }],
    ['an ordering beyond 32 bits', { ordering: 2 ** 31 }],
  ])('%s', async (name, given) => {
    const files: Files = { file: ['mod.jar', await jar(`data ${name}`)] };
    await refused(await send(form(dataOf(project.id, given), files)));
  });

  test.each(['', 'not json', '[]', 'null', '{}', '"text"'])('the part data is %j', async (text) => {
    await refused(await send(form(text, { file: ['mod.jar', await jar('json')] })));
  });
});

describe('invalid files', () => {
  const twoParts = { file_parts: ['file', 'second'] };
  const fabric = { name: 'fabric.mod.json', content: '{}' };
  const manifest = JSON.stringify({ id: 'x' });
  test.each<[string, Record<string, unknown>, () => Promise<Files> | Files]>([
    [
      'the same bytes twice',
      twoParts,
      async () => ({ file: ['a.jar', await jar('2')], second: ['b.jar', await jar('2')] }),
    ],
    [
      'the same name twice',
      twoParts,
      async () => ({ file: ['a.jar', await jar('3')], second: ['a.jar', await jar('4')] }),
    ],
    ['a name with ..', {}, async () => ({ file: ['../up.jar', await jar('5')] })],
    ['a name Windows keeps', {}, async () => ({ file: ['CON.jar', await jar('6')] })],
    ['an unknown extension', {}, async () => ({ file: ['mod.exe', await jar('7')] })],
    ['nothing at all', {}, () => ({ file: ['empty.jar', Buffer.alloc(0)] })],
    ['text', {}, () => ({ file: ['mod.jar', Buffer.from('hello')] })],
    ['half an archive', {}, async () => ({ file: ['mod.jar', (await jar('8')).subarray(0, 60)] })],
    [
      'an archive without a manifest',
      {},
      async () => ({ file: ['mod.jar', await zipOf({ 'readme.txt': 'x' })] }),
    ],
    [
      'an archive that lies about a size',
      {},
      () => ({ file: ['mod.jar', forgedZip([{ ...fabric, size: 1 }])] }),
    ],
    [
      'an archive that lies about its count',
      {},
      () => ({ file: ['mod.jar', forgedZip([fabric], { count: 9 })] }),
    ],
    ['overlapping entries', {}, () => ({ file: ['mod.jar', forgedZip([fabric, { name: 'b', shares: 0 }])] })],
    ['an entry with ..', {}, () => ({ file: ['mod.jar', forgedZip([fabric, { name: '../x' }])] })],
    ['an entry twice', {}, () => ({ file: ['mod.jar', forgedZip([fabric, fabric])] })],
    [
      'a modpack as a jar',
      {},
      async () => ({
        file: [
          'mod.jar',
          await zipOf({ 'fabric.mod.json': manifest, 'manifest.json': '{}', 'modlist.html': '' }),
        ],
      }),
    ],
    [
      'an .mrpack without its index',
      {},
      async () => ({ file: ['p.mrpack', await zipOf({ 'overrides/a.txt': 'x' })] }),
    ],
    [
      'a named primary file with a warning',
      { ...twoParts, primary_file: 'second' },
      async () => ({
        file: ['a.jar', await jar('9')],
        second: ['b.zip', await jar('10')],
      }),
    ],
    ['more bytes than allowed', {}, () => ({ file: ['mod.jar', Buffer.alloc(100_001)] })],
  ])('%s', async (_, given, files) => {
    await refused(await send(form(dataOf(project.id, given), await files())));
  });

  test('bytes that belong to another project are refused until that version is deleted', async () => {
    const bytes = await jar('taken');
    const other = await build.project(database.sql, { owner });
    const first = await send(form(dataOf(other.id), { file: ['a.jar', bytes] }));
    before = await state();
    await refused(
      await send(form(dataOf(project.id), { file: ['b.jar', bytes] })),
      400,
      'invalid_input',
      'file_duplicate',
    );
    await api.call('DELETE', `/v2/version/${((await first.json()) as { id: string }).id}`, { token });
    expect((await send(form(dataOf(project.id), { file: ['b.jar', bytes] }))).status).toBe(200);
    const retried = await send(
      form(dataOf(project.id, { version_number: '1.0.1' }), { file: ['b.jar', bytes] }),
    );
    expect(retried.status, 'the same project may have it twice').toBe(200);
  });

  test('of ten projects that upload the same bytes at once, one succeeds', async () => {
    const bytes = await jar('race');
    const ids: string[] = [];
    for (let i = 0; i < 10; i++) ids.push((await build.project(database.sql, { owner })).id);
    const answers = await Promise.all(
      ids.map(async (id) => await send(form(dataOf(id), { file: ['r.jar', bytes] }))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)]);
    const stored = (await onDisk(api.services)).filter((key) => key.endsWith('/r.jar'));
    expect(stored).toHaveLength(1);
  });
});

describe('malformed forms', () => {
  const part = (headers: string, body: string) =>
    `--b\r\nContent-Disposition: form-data; ${headers}\r\n\r\n${body}\r\n`;
  const type = { 'content-type': 'multipart/form-data; boundary=b' };
  const data = () => part('name="data"', JSON.stringify(dataOf(project.id)));

  test('a file before data is refused', async () => {
    const bytes = await jar('order');
    const body = new FormData();
    body.append('file', new Blob([Buffer.from(bytes)]), 'a.jar');
    body.append('data', JSON.stringify(dataOf(project.id)));
    await refused(await send(body));
  });
  test.each<[string, () => string, Record<string, string>]>([
    [
      'JSON instead of a form',
      () => JSON.stringify(dataOf(project.id)),
      { 'content-type': 'application/json' },
    ],
    ['no boundary', () => `${data()}--b--`, { 'content-type': 'multipart/form-data' }],
    ['an empty form', () => '--b--\r\n', type],
    ['a form that breaks off', () => data() + part('name="file"; filename="a.jar"', 'PK').slice(0, -3), type],
    ['a file without a filename', () => `${data()}${part('name="file"', 'PK')}--b--`, type],
    ['data twice', () => `${data()}${data()}--b--`, type],
  ])('%s', async (_, body, headers) => {
    await refused(await send(body(), headers));
  });

  test('a client that disconnects in the middle of a file leaves nothing', async () => {
    const start = `${data()}--b\r\nContent-Disposition: form-data; name="file"; filename="a.jar"\r\n\r\n`;
    let sent = 0;
    const body = new ReadableStream({
      async pull(controller) {
        if (sent++ === 0) controller.enqueue(Buffer.from(start));
        else if (sent < 10) controller.enqueue(Buffer.alloc(1000, 'x'));
        else controller.error(new Error('aborted'));
      },
    });
    const answer = await send(body, type);
    expect(answer.status).toBe(400);
    expect(await state()).toEqual(before);
  });
});

describe('callers without permission', () => {
  test.each([
    ['an expired token', async () => await build.token(database.sql, owner, 'all', new Date('2020-01-01'))],
    ['an unknown token', () => `mrp_${'a'.repeat(60)}`],
    ['another kind of token', () => 'ghp_something'],
    ['a malformed token', () => 'mrp_x'],
  ])('%s: 401 before the body is read', async (_, as) => {
    await refused(await send(form(dataOf(project.id), {}), {}, await as()), 401, 'unauthorized');
  });

  test('a non-member is refused before a file is read', async () => {
    const stranger = await build.token(database.sql, await build.user(database.sql));
    const files: Files = { file: ['big.jar', Buffer.alloc(5_000_000)] }; // larger than allowed, but never read
    await refused(
      await send(form(dataOf(project.id), files), {}, stranger),
      401,
      'unauthorized',
      'not_a_member',
    );
  });
});
