import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { zipOf } from '#db/testing/zips.ts';
import { testApi } from './api.ts';
import { listeningApi } from './listening-api.ts';
import { dataOf } from './versions.ts';

/**
 * Publishing as scripts of CI systems do it: forms with `data` before the files, images as raw bodies, a jar over a
 * MiB, before which curl waits for `100 Continue`. By curl itself, and by node:http with the same bytes.
 * Source: clients §10.
 */
const database = testDatabase();
const api = testApi(database);
const server = listeningApi(api);
const folder = mkdtempSync(join(tmpdir(), 'cairn-curl-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A part of a form: JSON, or the file at a path. */
type Part = { json: unknown } | { path: string; type: string };
interface Sent {
  method: string;
  path: string;
  form?: Record<string, Part>;
  /** The file that is the whole body. */
  raw?: { path: string; type: string };
}
type Send = (sent: Sent, token: string) => Promise<{ status: number; body: string }>;

const run = promisify(execFile);

const byCurl: Send = async ({ method, path, form = {}, raw }, token) => {
  const parts = Object.entries(form).flatMap(([name, part]) => [
    '-F',
    'json' in part
      ? `${name}=${JSON.stringify(part.json)};type=application/json`
      : `${name}=@${part.path};type=${part.type}`,
  ]);
  const body = raw ? ['--data-binary', `@${raw.path}`, '-H', `Content-Type: ${raw.type}`] : [];
  const { stdout } = await run('curl', [
    '--silent',
    '--show-error',
    ...['-X', method, '-H', `Authorization: ${token}`, '-w', '\n%{http_code}'],
    ...parts,
    ...body,
    `${server.url}${path}`,
  ]);
  const end = stdout.lastIndexOf('\n');
  return { status: Number(stdout.slice(end + 1)), body: stdout.slice(0, end) };
};

const boundary = '------------------------d74496d66958873e';
async function bytesOf(sent: Sent): Promise<{ type?: string; bytes: Buffer }> {
  if (sent.raw) return { type: sent.raw.type, bytes: await readFile(sent.raw.path) };
  if (!sent.form) return { bytes: Buffer.alloc(0) };
  const chunks: Buffer[] = [];
  for (const [name, part] of Object.entries(sent.form)) {
    const [about, type, bytes] =
      'json' in part
        ? ['', 'application/json', Buffer.from(JSON.stringify(part.json))]
        : [`; filename="${basename(part.path)}"`, part.type, await readFile(part.path)];
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${about}\r\nContent-Type: ${type}\r\n\r\n`;
    chunks.push(Buffer.from(head), bytes, Buffer.from('\r\n'));
  }
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]),
  };
}

const byNode: Send = async (sent, token) => {
  const { type, bytes } = await bytesOf(sent);
  const large = bytes.length > 1024 * 1024;
  return await new Promise((done, fail) => {
    const request = httpRequest(
      `${server.url}${sent.path}`,
      {
        method: sent.method,
        headers: {
          'user-agent': 'curl/7.88.1',
          accept: '*/*',
          authorization: token,
          ...(type ? { 'content-type': type, 'content-length': bytes.length } : {}),
          ...(large ? { expect: '100-continue' } : {}),
        },
      },
      async (answer) => {
        let body = '';
        for await (const chunk of answer.setEncoding('utf8')) body += chunk;
        done({ status: answer.statusCode ?? 0, body });
      },
    );
    request.on('error', fail);
    if (large) request.on('continue', () => request.end(bytes));
    else request.end(bytes);
  });
};

const hasCurl = ((): boolean => {
  try {
    return execFileSync('curl', ['--version']).length > 0;
  } catch {
    return false;
  }
})();

/** A file for one run, with a jar's or a picture's content. */
async function jarAt(name: string, bytes = 100): Promise<string> {
  const path = join(folder, name);
  const files = {
    'fabric.mod.json': JSON.stringify({ schemaVersion: 1, id: 'test', version: name }),
    'assets/noise.bin': randomBytes(bytes),
  };
  writeFileSync(path, await zipOf(files));
  return path;
}
async function pngAt(name: string, background: string): Promise<string> {
  const path = join(folder, name);
  writeFileSync(
    path,
    await sharp({ create: { width: 16, height: 16, channels: 3, background } })
      .png()
      .toBuffer(),
  );
  return path;
}

const java = 'application/java-archive';

describe.each<[string, Send, boolean]>([
  ['curl', byCurl, !hasCurl],
  ['node:http', byNode, false],
])('%s', (name, send, missing) => {
  let token: string;
  beforeAll(async () => {
    token = await build.token(database.sql, await build.user(database.sql));
  });
  const json = async (sent: Sent): Promise<Record<string, unknown>> => {
    const { status, body } = await send(sent, token);
    expect([status, body]).toEqual([200, expect.stringContaining('{')]);
    return JSON.parse(body);
  };
  const done = async (sent: Sent) => expect(await send(sent, token)).toEqual({ status: 204, body: '' });

  test.skipIf(missing)(
    'publishes a project, versions, files, icon and gallery, and deletes them',
    async () => {
      const of = name.replace(':', '-');
      const created = {
        title: `Published by ${of}`,
        slug: `published-by-${of}`,
        description: 'Sent by a script',
        body: '# A body',
        client_side: 'required',
        server_side: 'optional',
        categories: ['adventure'],
        license_id: 'MIT',
        initial_versions: [
          { ...dataOf(''), project_id: undefined, version_title: 'First', release_channel: 'release' },
        ],
      };
      const project = await json({
        method: 'POST',
        path: '/v2/project',
        form: {
          data: { json: created },
          file: { path: await jarAt(`${of}-1.jar`), type: java },
          icon: { path: await pngAt(`${of}-icon.png`, '#aa3300'), type: 'image/png' },
        },
      });
      const { id } = project as { id: string };
      const read = async () =>
        (await (
          await fetch(`${server.url}/v2/project/${id}`, { headers: { authorization: token } })
        ).json()) as {
          icon_url: string | null;
          gallery: Array<{ url: string; title: string; featured: boolean }>;
          versions: string[];
        };
      const first = await read();
      expect(first).toMatchObject({ versions: [expect.any(String)], gallery: [] });
      expect(first.icon_url).toContain(id);

      // over a MiB
      const path = await jarAt(`${of}-2.jar`, 1_500_000);
      const version = (await json({
        method: 'POST',
        path: '/v2/version',
        form: {
          data: { json: dataOf(id, { version_number: '2.0.0', file_parts: ['main'] }) },
          main: { path, type: java },
        },
      })) as { id: string; files: Array<{ size: number; hashes: { sha512: string } }> };
      expect(version.files).toMatchObject([{ filename: `${of}-2.jar`, primary: true }]);
      await done({
        method: 'POST',
        path: `/v2/version/${version.id}/file`,
        form: {
          data: { json: { file_types: { sources: 'sources-jar' } } },
          sources: { path: await jarAt(`${of}-2-sources.jar`), type: java },
        },
      });
      expect((await read()).versions).toHaveLength(2);

      const png = { path: await pngAt(`${of}-new.png`, '#0033aa'), type: 'image/png' };
      await done({ method: 'PATCH', path: `/v2/project/${id}/icon?ext=png`, raw: png });
      await done({
        method: 'POST',
        path: `/v2/project/${id}/gallery?ext=png&featured=true&title=A%20view`,
        raw: png,
      });
      const after = await read();
      expect(after.icon_url).not.toBe(first.icon_url);
      expect(after.gallery).toMatchObject([{ title: 'A view', featured: true }]);

      const url = encodeURIComponent(after.gallery[0]!.url);
      await done({ method: 'DELETE', path: `/v2/project/${id}/gallery?url=${url}` });
      await done({ method: 'DELETE', path: `/v2/version/${version.id}` });
      expect(await read()).toMatchObject({ gallery: [], versions: first.versions });
      await done({ method: 'DELETE', path: `/v2/project/${id}` });
      expect((await send({ method: 'GET', path: `/v2/project/${id}` }, token)).status).toBe(404);
    },
  );

  test.skipIf(missing)('refuses a form without its file or in another order, and says why', async () => {
    const project = await build.project(database.sql);
    const owner = await build.token(database.sql, project.owner);
    const data = { json: dataOf(project.id) };
    const file = { path: await jarAt('first.jar'), type: java };
    const refused = async (form: NonNullable<Sent['form']>) => {
      const { status, body } = await send({ method: 'POST', path: '/v2/version', form }, owner);
      return [status, JSON.parse(body)];
    };
    expect(await refused({ data })).toMatchObject([
      400,
      { error: 'invalid_input', details: { part: 'file' } },
    ]);
    expect(await refused({ file, data })).toMatchObject([
      400,
      { error: 'invalid_input', description: 'the first part of the form must be named data and hold JSON' },
    ]);
    expect(await database.sql`select 1 from versions where project_id = ${project.id}`).toHaveLength(0);
  });
});
