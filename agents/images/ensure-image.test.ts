import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Docker from 'dockerode';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { ensureImage, ImageMissing } from './ensure-image.ts';
import { acquireMachineLock } from './machine-lock.ts';

/** Docker's protocol on a socket: no registry can be reached where these tests run. */
let server: Server | null = null;
const folder = mkdtempSync(join(tmpdir(), 'cairn-engine-'));
afterEach(async () => {
  const one = server;
  server = null;
  if (one) await new Promise((done) => one.close(done));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function engine(answer: RequestListener): Promise<{ docker: Docker; asked: string[] }> {
  const asked: string[] = [];
  // the client reuses connections, by the path of the socket
  const socketPath = join(folder, randomUUID());
  server = createServer((request, response) => {
    asked.push(`${request.method} ${decodeURIComponent(request.url ?? '')}`);
    answer(request, response);
  });
  await new Promise<void>((done) => server!.listen(socketPath, done));
  return { docker: new Docker({ socketPath }), asked };
}
const name = 'docker.io/itzg/minecraft-server:java21';

describe('an image that a registry has', () => {
  it('is pulled when Docker lacks it, with the progress that Docker reports', async () => {
    const { docker, asked } = await engine((request, response) => {
      if (request.method === 'GET') response.writeHead(404).end('{"message":"no such image"}');
      else
        response.end(
          [
            '{"status":"Pulling","id":"java21"}',
            '{"status":"Pulling","id":"java21"}',
            '{"status":"Done"}',
            '',
          ].join('\r\n'),
        );
    });
    const said: string[] = [];
    expect(await ensureImage(docker, { pull: name }, (line) => said.push(line))).toBe(name);
    expect(asked[0]).toBe(`GET /images/${name}/json`);
    expect(asked[1]).toMatch(
      /^POST \/images\/create\?fromImage=docker\.io\/itzg\/minecraft-server(:java21|&tag=java21)$/,
    );
    expect(said).toEqual([`Pulling the image ${name}`, 'java21 Pulling', 'Done']);
  });

  it('is not fetched again', async () => {
    const { docker, asked } = await engine((_, response) => response.end('{"Id":"sha256:1"}'));
    expect(await ensureImage(docker, { pull: name })).toBe(name);
    expect(asked).toHaveLength(1);
  });

  it('is missing when Docker fails in the middle of a successful response', async () => {
    const { docker } = await engine((request, response) => {
      if (request.method === 'GET') response.writeHead(404).end('{"message":"no such image"}');
      else response.end('{"status":"Pulling"}\r\n{"error":"toomanyrequests: slow down"}\r\n');
    });
    const failure = await ensureImage(docker, { pull: name }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ImageMissing);
    expect(failure).toMatchObject({ code: 'image_missing', message: expect.stringContaining('slow down') });
  });

  it('is not missing when Docker cannot tell', async () => {
    const { docker, asked } = await engine((_, response) =>
      response.writeHead(500).end('{"message":"broken"}'),
    );
    await expect(ensureImage(docker, { pull: name })).rejects.toThrow(/broken/);
    expect(asked).toHaveLength(1);
  });
});

describe('of several that make one image', () => {
  it('one does at a time, and a name is free again when it is given back', async () => {
    const release = await acquireMachineLock('test', () => {});
    let waited = 0;
    const second = acquireMachineLock('test', () => {
      waited += 1;
      release();
    });
    (await acquireMachineLock('another', () => {}))();
    (await second)();
    expect(waited).toBe(1);
  });
});
