import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { Refused } from '#db/platform/errors.ts';
import { parseSettings } from '#db/platform/runtime/env.ts';
import { diskStorage } from '#db/platform/storage/disk.ts';
import type { ByteSource, Storage } from '#db/platform/storage/storage.ts';
import { type ReceiveOptions, receive, receiveImage } from '../platform/upload/upload.ts';

export interface UploadServer {
  storage: Storage;
  /** The folder of staged files. */
  tmp: string;
  address: string;
  port: number;
  /** Options for the next uploads, and non-default settings. */
  options: ReceiveOptions;
  limits: Record<string, string>;
  /** The bytes of the last upload's files. */
  seen: Buffer[];
  /** The response to the last request. */
  handled: Promise<Response>;
  answer(request: Request): Promise<Response>;
}

/** A real server for this test file: every route receives a form, or an image below /image. */
export function uploadServer(): UploadServer {
  const made = { answer: (request) => answer(made, request) } as UploadServer;
  let folder: string;
  let server: Server;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cairn-upload-'));
    made.storage = diskStorage(folder);
    made.tmp = join(folder, 'tmp');
    const fetch = (request: Request) => {
      made.handled = made.answer(request);
      return made.handled;
    };
    server = createAdaptorServer({ fetch }) as Server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    made.port = (server.address() as AddressInfo).port;
    made.address = `http://127.0.0.1:${made.port}`;
  });
  beforeEach(() => {
    Object.assign(made, { options: {}, limits: {}, seen: [] });
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });
  return made;
}

async function answer(made: UploadServer, request: Request): Promise<Response> {
  try {
    const url = new URL(request.url);
    if (url.pathname === '/image') {
      const bytes = await receiveImage(
        request,
        { settings: parseSettings({}) },
        Number(url.searchParams.get('max')),
        url.searchParams.get('ext') ?? undefined,
      );
      return Response.json({ size: bytes.length });
    }
    const received = await receive(
      request,
      { settings: parseSettings(made.limits), storage: made.storage },
      made.options,
    );
    try {
      made.seen = await Promise.all(received.files.map(({ content }) => contentOf(content)));
      return Response.json({
        data: received.data,
        files: received.files.map(({ content: _, ...file }) => file),
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

async function contentOf(source: ByteSource): Promise<Buffer> {
  const bytes = await source.open();
  try {
    return await bytes.readAt(0, bytes.size);
  } finally {
    await bytes.close();
  }
}

interface Answered {
  status: number;
  code?: string;
  description?: string;
  data?: unknown;
  files?: unknown[];
}

/** Sends a form and expects that nothing of it is left in tmp. */
export async function post(
  to: UploadServer,
  body: FormData | string | Buffer,
  headers: Record<string, string> = {},
): Promise<Answered> {
  const response = await fetch(to.address, { method: 'POST', body: body as never, headers });
  expect(await readdir(to.tmp)).toEqual([]);
  return { status: response.status, ...((await response.json()) as object) };
}

export const form = (
  data: unknown,
  files: Array<[part: string, filename: string, bytes: Uint8Array | string]>,
): FormData => {
  const made = new FormData();
  made.append('data', typeof data === 'string' ? data : JSON.stringify(data));
  for (const [part, filename, bytes] of files) made.append(part, new Blob([bytes as never]), filename);
  return made;
};
/** The parts as raw bytes, with arbitrary headers. */
export const raw = (...parts: Array<[disposition: string, body: string]>) =>
  Buffer.from(`${parts.map(([headers, body]) => `--b\r\n${headers}\r\n\r\n${body}\r\n`).join('')}--b--\r\n`);
export const multipart = { 'content-type': 'multipart/form-data; boundary=b' };

export const data: [string, string] = ['Content-Disposition: form-data; name="data"', '{}'];
export const file = (name: string, filename: string): [string, string] => [
  `Content-Disposition: form-data; name="${name}"; filename="${filename}"`,
  'x',
];

/**
 * A body as OkHttp's `MultipartBody` writes it by default: `multipart/mixed`, a type and a Content-Length for each part.
 * `boundary` is a UUID. Source: OkHttp 4 (MultipartBody.writeOrCountBytes).
 */
export function okHttp(
  data: unknown,
  files: Array<[part: string, filename: string, bytes: Uint8Array]>,
): { body: Buffer; headers: { 'content-type': string } } {
  const boundary = 'e3b5c6a0-5a3c-4b0e-9c0f-0d6f1f1b2a77';
  const json = Buffer.from(JSON.stringify(data));
  const parts: Array<[disposition: string, type: string, bytes: Uint8Array]> = [
    ['form-data; name="data"', 'application/json; charset=utf-8', json],
    ...files.map(
      ([part, filename, bytes]) =>
        [`form-data; name="${part}"; filename="${filename}"`, 'application/java-archive', bytes] as [
          string,
          string,
          Uint8Array,
        ],
    ),
  ];
  const body = Buffer.concat([
    ...parts.flatMap(([disposition, type, bytes]) => [
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${type}\r\nContent-Length: ${bytes.length}\r\n\r\n`,
      ),
      bytes,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
  return { body, headers: { 'content-type': `multipart/mixed; boundary=${boundary}` } };
}
