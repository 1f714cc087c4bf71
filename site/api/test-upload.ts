import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { parseSettings } from '#db/env.ts';
import { Refused } from '#db/errors.ts';
import { diskStorage } from '#db/storage/disk.ts';
import type { Storage } from '#db/storage/storage.ts';
import { type ReceiveOptions, receive, receiveImage } from './upload.ts';

export interface UploadServer {
  storage: Storage;
  address: string;
  port: number;
  /** What the next uploads are received with, and the settings besides the defaults. */
  options: ReceiveOptions;
  limits: Record<string, string>;
  /** The bytes of the last upload's files. */
  seen: Buffer[];
  /** The answer to the last request. */
  handled: Promise<Response>;
  answer(request: Request): Promise<Response>;
}

/** A real server for this test file whose every route receives a form, or a picture below /image. */
export function uploadServer(): UploadServer {
  const made = { answer: (request) => answer(made, request) } as UploadServer;
  let folder: string;
  let server: Server;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cairn-upload-'));
    made.storage = diskStorage(folder);
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
      made.seen = await Promise.all(received.files.map(({ path }) => readFile(path)));
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
  expect(await readdir(to.storage.tmp)).toEqual([]);
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
/** The parts as raw bytes, with whatever headers a client invents. */
export const raw = (...parts: Array<[disposition: string, body: string]>) =>
  Buffer.from(`${parts.map(([headers, body]) => `--b\r\n${headers}\r\n\r\n${body}\r\n`).join('')}--b--\r\n`);
export const multipart = { 'content-type': 'multipart/form-data; boundary=b' };

export const data: [string, string] = ['Content-Disposition: form-data; name="data"', '{}'];
export const file = (name: string, filename: string): [string, string] => [
  `Content-Disposition: form-data; name="${name}"; filename="${filename}"`,
  'x',
];
