import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { parseSettings } from '#db/env.ts';
import { Refused } from '#db/errors.ts';
import { diskStorage } from '#db/storage/disk.ts';
import type { Storage } from '#db/storage/storage.ts';
import { type ReceiveOptions, receive, receiveImage } from './upload.ts';

let folder: string;
let storage: Storage;
let server: Server;
let address: string;
let options: ReceiveOptions;
let limits: Record<string, string>;
let bytesSeen: Buffer[];
let handled: Promise<unknown>;

/** A real server whose every route receives a form, or a picture below /image. */
async function answer(request: Request): Promise<Response> {
  try {
    const url = new URL(request.url);
    if (url.pathname === '/image') {
      const bytes = await receiveImage(
        request,
        Number(url.searchParams.get('max')),
        url.searchParams.get('ext') ?? undefined,
      );
      return Response.json({ size: bytes.length });
    }
    const received = await receive(request, { settings: parseSettings(limits), storage }, options);
    try {
      bytesSeen = await Promise.all(received.files.map(({ path }) => readFile(path)));
      return Response.json({
        data: received.data,
        files: received.files.map(({ path: _, ...file }) => file),
      });
    } finally {
      await received.discard();
    }
  } catch (error) {
    if (error instanceof Refused)
      return Response.json({ code: error.code, description: error.message }, { status: error.status });
    return Response.json({ code: 'BUG', description: String(error) }, { status: 500 });
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-upload-'));
  storage = diskStorage(folder);
  const listening = createAdaptorServer({
    fetch: (request) => {
      const result = answer(request);
      handled = result;
      return result;
    },
  });
  server = listening as Server;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  options = {};
  limits = {};
  bytesSeen = [];
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

const post = async (body: FormData | string | Buffer, headers: Record<string, string> = {}) => {
  const response = await fetch(address, { method: 'POST', body: body as never, headers });
  expect(await readdir(storage.tmp)).toEqual([]);
  return {
    status: response.status,
    ...((await response.json()) as {
      code?: string;
      description?: string;
      data?: unknown;
      files?: unknown[];
    }),
  };
};
const form = (
  data: unknown,
  files: Array<[part: string, filename: string, bytes: Uint8Array | string]>,
): FormData => {
  const made = new FormData();
  made.append('data', typeof data === 'string' ? data : JSON.stringify(data));
  for (const [part, filename, bytes] of files) made.append(part, new Blob([bytes as never]), filename);
  return made;
};
/** The parts as raw bytes, with whatever headers a client invents. */
const raw = (...parts: Array<[disposition: string, body: string]>) =>
  Buffer.from(`${parts.map(([headers, body]) => `--b\r\n${headers}\r\n\r\n${body}\r\n`).join('')}--b--\r\n`);
const multipart = { 'content-type': 'multipart/form-data; boundary=b' };

test('data and files arrive byte for byte with both hashes', async () => {
  const bytes = randomBytes(1_000_003);
  const result = await post(
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
  expect(bytesSeen[0]!.equals(bytes)).toBe(true);
});

test.each([
  'Content-Disposition: form-data; name="data"',
  'Content-Disposition: form-data; name="data"\r\nContent-Type: application/json',
  'Content-Disposition: form-data; name="data"\r\nContent-Type: application/octet-stream',
  'Content-Disposition: form-data; name="data"; filename="blob"\r\nContent-Type: application/json; charset=utf-8',
  'content-disposition: form-data; name=data\r\nContent-Type: text/plain; charset=UTF-8\r\nContent-Transfer-Encoding: 8bit',
])('the data part is understood however clients send it: %j', async (headers) => {
  const result = await post(
    raw([headers, '{"a":"é"}'], ['Content-Disposition: form-data; name="f"; filename="m.jar"', 'x']),
    multipart,
  );
  expect(result).toMatchObject({ status: 200, data: { a: 'é' }, files: [{ part: 'f', size: 1 }] });
});

test('an empty file and a preamble and epilogue around the form are fine', async () => {
  const body = Buffer.concat([
    Buffer.from('hello\r\n'),
    raw(
      ['Content-Disposition: form-data; name="data"', '{}'],
      ['Content-Disposition: form-data; name="f"; filename="m.jar"', ''],
    ),
    Buffer.from('bye'),
  ]);
  expect(await post(body, multipart)).toMatchObject({ status: 200, files: [{ size: 0 }] });
});

const data: [string, string] = ['Content-Disposition: form-data; name="data"', '{}'];
const file = (name: string, filename: string): [string, string] => [
  `Content-Disposition: form-data; name="${name}"; filename="${filename}"`,
  'x',
];

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
  const result = await post(body, headers);
  expect(result.code).toBe(code);
  expect([400, 413]).toContain(result.status);
  expect(result.description!.length).toBeGreaterThan(20);
});

test('a file one byte over the limit is refused, one of exactly the limit is taken', async () => {
  limits = { MAX_FILE_BYTES: String(2 * 1024 * 1024) };
  const bytes = Buffer.alloc(2 * 1024 * 1024 + 1);
  expect(
    await post(
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
  expect((await post(form({}, [['b', 'big.jar', bytes.subarray(1)]]))).status).toBe(200);
});

test('more files than allowed are refused', async () => {
  options = { max_files: 2 };
  const three = ['a', 'b', 'c'].map((part): [string, string, string] => [part, `${part}.jar`, part]);
  expect(await post(form({}, three.slice(1)))).toMatchObject({ status: 200 });
  expect(await post(form({}, three))).toMatchObject({ status: 400, code: 'invalid_input' });
});

test('thousands of tiny parts are refused without a crash', async () => {
  const parts = Array.from({ length: 5000 }, (_, i) => file(`p${i}`, `${i}.jar`));
  expect(await post(raw(data, ...parts), multipart)).toMatchObject({ status: 400, code: 'invalid_input' });
});

test('the route may refuse by data before any file is stored, and name what each part is', async () => {
  const png = Buffer.alloc(300 * 1024);
  options = {
    kind: (part) =>
      part === 'icon' ? 'icon' : part.startsWith('g') ? 'gallery' : part === 'f' ? 'file' : null,
  };
  expect(
    await post(
      form({}, [
        ['f', 'm.jar', 'x'],
        ['g1', 'shot.PNG', png],
        ['icon', 'i.png', 'x'],
      ]),
    ),
  ).toMatchObject({
    files: [{ kind: 'file' }, { kind: 'gallery', size: png.length }, { kind: 'icon' }],
  });
  expect(await post(form({}, [['icon', 'i.png', png]]))).toMatchObject({
    code: 'icon_too_large',
    description: 'Icons must be smaller than 256KiB.',
  });
  expect(await post(form({}, [['icon', 'i.svg', 'x']]))).toMatchObject({ code: 'invalid_input' });
  expect(await post(form({}, [['else', 'm.jar', 'x']]))).toMatchObject({ code: 'invalid_input' });
  options = { onData: () => Promise.reject(new Refused('not_a_member')) };
  expect(await post(form({}, [['f', 'm.jar', randomBytes(3_000_000)]]))).toMatchObject({
    status: 401,
    code: 'not_a_member',
  });
});

/** Sends the beginning of an upload over a bare socket and calls `then` once the server has begun to store the file. */
const begin = async (announced: number, sent: number): Promise<Socket> => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const head = raw(data).subarray(0, -7);
  socket.write(
    `POST / HTTP/1.1\r\nhost: x\r\ncontent-type: ${multipart['content-type']}\r\ncontent-length: ${announced}\r\n\r\n`,
  );
  socket.write(head);
  socket.write('--b\r\nContent-Disposition: form-data; name="f"; filename="m.jar"\r\n\r\n');
  socket.write(Buffer.alloc(sent));
  await expect.poll(async () => (await readdir(storage.tmp)).length, { interval: 5 }).toBe(1);
  return socket;
};

test('a client that hangs up in the middle of a file leaves nothing', async () => {
  const before = handled;
  const socket = await begin(50_000_000, 1_000_000);
  expect(handled).not.toBe(before);
  socket.destroy();
  expect(await handled).toMatchObject({ status: 400 });
  expect(await readdir(storage.tmp)).toEqual([]);
});

test('a client that stops sending is told it is too slow, one that keeps the pace is not', async () => {
  options = { window_ms: 150 };
  limits = { UPLOAD_MIN_BYTES_PER_SECOND: '1000' };
  const socket = await begin(50_000_000, 1_000);
  const response = (await handled) as Response;
  expect(await response.clone().json()).toMatchObject({ code: 'upload_too_slow' });
  expect(await readdir(storage.tmp)).toEqual([]);
  socket.destroy();
  let left = 20;
  const steady = new ReadableStream({
    async pull(controller) {
      if (left === 20)
        controller.enqueue(
          Buffer.concat([
            raw(data).subarray(0, -7),
            Buffer.from('--b\r\nContent-Disposition: form-data; name="f"; filename="m.jar"\r\n\r\n'),
          ]),
        );
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (left-- > 0) controller.enqueue(Buffer.alloc(100));
      else {
        controller.enqueue(Buffer.from('\r\n--b--\r\n'));
        controller.close();
      }
    },
  });
  const slow = await fetch(address, {
    method: 'POST',
    body: steady,
    duplex: 'half',
    headers: multipart,
  } as never);
  expect(slow.status).toBe(200);
});

test('any bytes in a form are taken or refused, never a crash, a hang or a left-over', async () => {
  const whole = raw(data, file('f', 'm.jar'), file('g', 'n.zip'));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 })), { maxLength: 6 }),
      fc.nat(whole.length),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
      async (flips, cut, sizes) => {
        const bytes = Buffer.from(whole);
        for (const [at, value] of flips) bytes[at] = value;
        const kept = cut % 3 === 0 ? bytes.subarray(0, cut) : bytes;
        const request = new Request('http://x/', {
          method: 'POST',
          headers: multipart,
          body: chunked(kept, sizes),
          duplex: 'half',
        } as never);
        const response = await answer(request);
        expect([200, 400, 413]).toContain(response.status);
        expect(await readdir(storage.tmp)).toEqual([]);
      },
    ),
    { numRuns: 300 },
  );
});

const chunked = (bytes: Buffer, sizes: number[]) => {
  let at = 0;
  let turn = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      const size = sizes[turn++ % sizes.length]!;
      controller.enqueue(bytes.subarray(at, at + size));
      at += size;
    },
  });
};

test('a picture body is taken up to its limit, with a known extension only', async () => {
  const send = async (query: string, body: Buffer) => {
    const response = await fetch(`${address}/image?${query}`, { method: 'PATCH', body: body as never });
    return { status: response.status, ...((await response.json()) as object) };
  };
  expect(await send('max=262144&ext=png', Buffer.alloc(262_144))).toEqual({ status: 200, size: 262_144 });
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
