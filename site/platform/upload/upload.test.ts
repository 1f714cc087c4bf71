import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { Refused } from '#db/platform/errors.ts';
import { data, file, form, multipart, okHttp, post, raw, uploadServer } from '../../testing/upload.ts';

const server = uploadServer();

test('data and files arrive byte for byte with both hashes', async () => {
  const bytes = randomBytes(1_000_003);
  const result = await post(
    server,
    form({ name: 'Ünïcode' }, [
      ['a', 'mod.jar', bytes],
      ['b', 'пак [1].zip', 'x'],
    ]),
  );
  expect(result.status).toBe(200);
  expect(result.data).toEqual({ name: 'Ünïcode' });
  expect(result.files).toEqual([
    {
      part: 'a',
      kind: 'file',
      filename: 'mod.jar',
      size: 1_000_003,
      sha1: createHash('sha1').update(bytes).digest('hex'),
      sha512: createHash('sha512').update(bytes).digest('hex'),
    },
    expect.objectContaining({ part: 'b', filename: 'пак [1].zip', size: 1 }),
  ]);
  expect(server.seen[0]!.equals(bytes)).toBe(true);
});

test.each([
  'Content-Disposition: form-data; name="data"',
  'Content-Disposition: form-data; name="data"\r\nContent-Type: application/json',
  'Content-Disposition: form-data; name="data"\r\nContent-Type: application/octet-stream',
  'Content-Disposition: form-data; name="data"; filename="blob"\r\nContent-Type: application/json; charset=utf-8',
  'content-disposition: form-data; name=data\r\nContent-Type: text/plain; charset=UTF-8\r\nContent-Transfer-Encoding: 8bit',
])('the data part is parsed in every form that clients send: %j', async (headers) => {
  const result = await post(
    server,
    raw([headers, '{"a":"é"}'], ['Content-Disposition: form-data; name="f"; filename="m.jar"', 'x']),
    multipart,
  );
  expect(result).toMatchObject({ status: 200, data: { a: 'é' }, files: [{ part: 'f', size: 1 }] });
});

test("OkHttp's default, multipart/mixed with a length for each part, is accepted", async () => {
  const bytes = randomBytes(70_000);
  const { body, headers } = okHttp({ a: 1 }, [['file', 'mod.jar', bytes]]);
  expect(await post(server, body, headers)).toMatchObject({
    status: 200,
    data: { a: 1 },
    files: [{ part: 'file', filename: 'mod.jar', size: 70_000 }],
  });
  expect(server.seen[0]!.equals(bytes)).toBe(true);
});

test('an empty file and a preamble and epilogue around the form are accepted', async () => {
  const body = Buffer.concat([
    Buffer.from('hello\r\n'),
    raw(
      ['Content-Disposition: form-data; name="data"', '{}'],
      ['Content-Disposition: form-data; name="f"; filename="m.jar"', ''],
    ),
    Buffer.from('bye'),
  ]);
  expect(await post(server, body, multipart)).toMatchObject({ status: 200, files: [{ size: 0 }] });
});

test.each<[string, string, FormData | Buffer | string, Record<string, string>?]>([
  ['a JSON body', 'invalid_input', '{}', { 'content-type': 'application/json' }],
  ['no boundary', 'invalid_input', raw(data), { 'content-type': 'multipart/form-data' }],
  ['an empty boundary', 'invalid_input', raw(data), { 'content-type': 'multipart/form-data; boundary=' }],
  [
    'another boundary than announced',
    'invalid_input',
    raw(data),
    { 'content-type': 'multipart/form-data; boundary=other' },
  ],
  ['a mixed body without a boundary', 'invalid_input', raw(data), { 'content-type': 'multipart/mixed' }],
  ['other multipart', 'invalid_input', raw(data), { 'content-type': 'multipart/related; boundary=b' }],
  ['an empty body', 'invalid_input', Buffer.alloc(0), multipart],
  ['an empty form', 'invalid_input', '--b--\r\n', multipart],
  ['a form cut in a file', 'invalid_input', raw(data, file('f', 'm.jar')).subarray(0, -9), multipart],
  ['a form cut in a header', 'invalid_input', raw(data, file('f', 'm.jar')).subarray(0, 80), multipart],
  ['a file before data', 'invalid_input', raw(file('f', 'm.jar'), data), multipart],
  ['data twice', 'invalid_input', raw(data, data), multipart],
  ['a part name twice', 'invalid_input', raw(data, file('f', 'a.jar'), file('f', 'b.jar')), multipart],
  ['data that is no JSON', 'invalid_input', form('{"a":', [])],
  ['data that is no UTF-8', 'invalid_input', raw([data[0], '{"a":"\xff"}']).fill(0xff, 60, 61), multipart],
  ['data over 2 MiB', 'body_too_large', form({ long: 'x'.repeat(2 * 1024 * 1024) }, [])],
  [
    'a part without a name',
    'invalid_input',
    raw(data, ['Content-Disposition: form-data; filename="m.jar"', 'x']),
    multipart,
  ],
  [
    'a file without a filename',
    'invalid_input',
    raw(data, ['Content-Disposition: form-data; name="f"', 'x']),
    multipart,
  ],
  ['a filename with ..', 'file_name_invalid', raw(data, file('f', '../m.jar')), multipart],
  ['an absolute filename', 'file_name_invalid', raw(data, file('f', '/etc/m.jar')), multipart],
  ['a reserved filename', 'file_name_invalid', raw(data, file('f', 'nul.jar')), multipart],
  ['another extension', 'file_type_unsupported', raw(data, file('f', 'm.exe')), multipart],
])('%s is refused as %s, says why and leaves nothing', async (_what, code, body, headers) => {
  const result = await post(server, body, headers);
  expect(result.code).toBe(code);
  expect([400, 413]).toContain(result.status);
  expect(result.description!.length).toBeGreaterThan(20);
});

test('a file one byte over the limit is refused, one of exactly the limit is accepted', async () => {
  server.limits = { MAX_FILE_BYTES: String(2 * 1024 * 1024) };
  const bytes = Buffer.alloc(2 * 1024 * 1024 + 1);
  expect(
    await post(
      server,
      form({}, [
        ['a', 'ok.jar', 'fine'],
        ['b', 'big.jar', bytes],
      ]),
    ),
  ).toMatchObject({
    status: 400,
    code: 'file_too_large',
    description: 'Project file exceeds the maximum of 2MiB: big.jar.',
  });
  expect((await post(server, form({}, [['b', 'big.jar', bytes.subarray(1)]]))).status).toBe(200);
});

test('more files than allowed are refused', async () => {
  server.options = { max_files: 2 };
  const three = ['a', 'b', 'c'].map((part): [string, string, string] => [part, `${part}.jar`, part]);
  expect(await post(server, form({}, three.slice(1)))).toMatchObject({ status: 200 });
  expect(await post(server, form({}, three))).toMatchObject({ status: 400, code: 'invalid_input' });
});

test('thousands of tiny parts are refused without a crash', async () => {
  const parts = Array.from({ length: 5000 }, (_, i) => file(`p${i}`, `${i}.jar`));
  expect(await post(server, raw(data, ...parts), multipart)).toMatchObject({
    status: 400,
    code: 'invalid_input',
  });
});

test('the route may refuse by data before any file is stored, and name the kind of each part', async () => {
  const png = Buffer.alloc(300 * 1024);
  server.options = {
    kind: (part) =>
      part === 'icon' ? 'icon' : part.startsWith('g') ? 'gallery' : part === 'f' ? 'file' : null,
  };
  expect(
    await post(
      server,
      form({}, [
        ['f', 'm.jar', 'x'],
        ['g1', 'shot.PNG', png],
        ['icon', 'i.png', 'x'],
      ]),
    ),
  ).toMatchObject({
    files: [{ kind: 'file' }, { kind: 'gallery', size: png.length }, { kind: 'icon' }],
  });
  expect(await post(server, form({}, [['icon', 'i.png', png]]))).toMatchObject({
    code: 'icon_too_large',
    description: 'Icons must be smaller than 256KiB.',
  });
  expect(await post(server, form({}, [['icon', 'i.svg', 'x']]))).toMatchObject({ code: 'invalid_input' });
  expect(await post(server, form({}, [['else', 'm.jar', 'x']]))).toMatchObject({ code: 'invalid_input' });
  server.options = { onData: () => Promise.reject(new Refused('not_a_member')) };
  expect(await post(server, form({}, [['f', 'm.jar', randomBytes(3_000_000)]]))).toMatchObject({
    status: 401,
    code: 'not_a_member',
  });
});

test('an image body is accepted up to its limit, with a known extension only', async () => {
  const send = async (query: string, body: Buffer) => {
    const response = await fetch(`${server.address}/image?${query}`, {
      method: 'PATCH',
      body: body as never,
    });
    return { status: response.status, ...((await response.json()) as object) };
  };
  expect(await send('max=262144&ext=PNG', Buffer.alloc(262_144))).toEqual({ status: 200, size: 262_144 });
  expect(await send('max=262144&ext=png', Buffer.alloc(262_145))).toMatchObject({
    code: 'icon_too_large',
    description: 'Icons must be smaller than 256KiB.',
  });
  expect(await send('max=5242880&ext=webp', Buffer.alloc(5_242_881))).toMatchObject({
    code: 'gallery_image_too_large',
    description: 'Gallery image exceeds the maximum of 5MiB.',
  });
  expect(await send('max=262144&ext=svg', Buffer.from('x'))).toMatchObject({
    status: 400,
    code: 'invalid_input',
  });
  expect(await send('max=262144', Buffer.from('x'))).toMatchObject({ status: 400, code: 'invalid_input' });
  expect(await send('max=262144&ext=png', Buffer.alloc(0))).toMatchObject({
    status: 400,
    code: 'invalid_image',
  });
});

test('the total size of a request is limited, and so is the remaining quota of the account', async () => {
  const two = () =>
    form({}, [
      ['a', 'a.jar', Buffer.alloc(600)],
      ['b', 'b.jar', Buffer.alloc(600)],
    ]);
  server.options = { max_total_bytes: 1199 };
  expect(await post(server, two())).toMatchObject({ status: 413, code: 'body_too_large' });
  server.options = { quota: { left_bytes: 1199, limit_bytes: 5000 } };
  expect(await post(server, two())).toMatchObject({ status: 429, code: 'upload_quota_reached' });
  server.options = { quota: { left_bytes: 1200, limit_bytes: 5000 }, max_total_bytes: 1200 };
  expect(await post(server, two())).toMatchObject({ status: 200 });
});
