import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { changeStatus } from '#db/catalogue/projects/change-status.ts';
import { lockProject } from '#db/catalogue/projects/locked.ts';
import type { Status } from '#db/catalogue/projects/rules.ts';
import { versionFileKey } from '#db/platform/storage/url.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';
import { type HiddenFileList, hiddenFiles } from './hidden-files.ts';
import { filesHandler } from './stored-files.ts';

/** Files of hidden projects and versions: for who is told their address with its key, and for nobody else. */
const database = testDatabase();
const api = testApi(database);
const log = pino({ level: 'silent' });
let server: Server;
let origin: string;
let list: HiddenFileList;

beforeAll(async () => {
  const { storage } = api.services;
  // the poll interval is too long to help here: only events change the list
  list = hiddenFiles({
    sql: database.sql,
    storage,
    settings: { PURGE_URL: undefined },
    log,
    poll_ms: 3_600_000,
  });
  const handle = filesHandler({
    storage,
    hidden: list,
    blocked: { reason: () => null },
    gone: async () => null,
    usage: { count: () => {} },
    settings: { SITE_URL: 'https://cairn.example', COUNTRY_HEADER: undefined },
    addressOf: () => '',
    log,
  });
  server = createServer((req, res) => void handle(req, res));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await vi.waitFor(() => expect(list.access('data/a/versions/b/c', '')).toBe('open'));
});
afterAll(async () => {
  await list.close();
  server.close();
});

async function stored(given: build.GivenProject = {}) {
  const project = await build.project(database.sql, given);
  const version = await build.version(database.sql, project, { files: [{}] });
  const key = versionFileKey(project.id, version.id, version.files[0]!.filename);
  await api.services.storage.putBytes(key, Buffer.from('bytes'));
  const token = await build.token(database.sql, project.owner);
  /** The path of the file that the API tells the owner. */
  const told = async () => {
    const answer = await api.call('GET', `/v2/version/${version.id}`, { token });
    const { pathname, search } = new URL(
      ((await answer.json()) as { files: [{ url: string }] }).files[0].url,
    );
    return pathname + search;
  };
  const plain = (await told()).split('?')[0]!;
  const statusOf = async (path: string) => (await fetch(origin + path)).status;
  return { project, version, plain, told, statusOf, token };
}

async function move(id: string, to: Status): Promise<void> {
  const actor = build.actorFor(await build.user(database.sql, { role: 'moderator' }), { role: 'moderator' });
  await database.sql.begin(async (tx) =>
    changeStatus(tx, actor, await lockProject(tx, id, actor), { to, api: 3, now: new Date() }),
  );
}

describe('files of a project that becomes hidden', () => {
  test('look absent but for the address that its members are told, and are never cached', async () => {
    const { project, plain, told, statusOf } = await stored();
    expect(await told()).toBe(plain);
    const open = await fetch(origin + plain);
    expect([open.status, open.headers.get('cache-control')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ]);

    await move(project.id, 'private');
    await vi.waitFor(async () => expect(await statusOf(plain)).toBe(404));
    const missing = await fetch(`${origin}${plain}x`);
    const hidden = await fetch(origin + plain);
    expect([hidden.status, await hidden.text()]).toEqual([missing.status, await missing.text()]);
    expect(hidden.headers.get('cache-control')).toBe('no-store');
    expect(await statusOf(`${plain}?access=${'0'.repeat(32)}`)).toBe(404);
    const shown = await fetch(origin + (await told()));
    expect([shown.status, shown.headers.get('cache-control')]).toEqual([200, 'private, no-store']);

    // an address that was told while it was hidden is worth nothing when it is hidden again
    const before = await told();
    await move(project.id, 'approved');
    await vi.waitFor(async () => expect(await statusOf(plain)).toBe(200));
    await move(project.id, 'private');
    await vi.waitFor(async () => expect(await statusOf(before)).toBe(404));
    await vi.waitFor(async () => expect(await statusOf(await told())).toBe(200));
  });

  test.each(['draft', 'processing', 'rejected', 'private', 'scheduled'] as const)(
    'are hidden while it is %s, by redirects of downloads and Maven too',
    async (status) => {
      const { project, version, plain, told, statusOf, token } = await stored({ status });
      await database.sql`select pg_notify('none', '')`;
      await move(project.id, status === 'draft' ? 'processing' : 'draft');
      await vi.waitFor(async () => expect(await statusOf(plain)).toBe(404));
      expect(await statusOf(await told())).toBe(200);
      const { sha1, filename } = version.files[0]!;
      for (const path of [
        `/v2/version_file/${sha1}/download`,
        `/maven/maven/modrinth/${project.id}/${version.id}/${filename}`,
      ]) {
        const { status: redirected, headers } = await api.call('GET', path, { token });
        const { pathname, search } = new URL(headers.get('location') ?? origin);
        expect([redirected, await statusOf(pathname + search)], path).toEqual([307, 200]);
      }
    },
  );

  test('stay open while it is unlisted or withheld, which are reached by address', async () => {
    const { project, plain, statusOf } = await stored();
    for (const status of ['unlisted', 'withheld'] as const) {
      await move(project.id, status);
      await new Promise((done) => setTimeout(done, 300));
      expect(await statusOf(plain), status).toBe(200);
    }
  });
});

test('a hidden version of a public project is hidden by itself', async () => {
  const { project, version, plain, told, statusOf, token } = await stored();
  const other = await build.version(database.sql, project, { files: [{}] });
  const answer = await api.call('PATCH', `/v2/version/${version.id}`, { token, json: { status: 'draft' } });
  expect(answer.status).toBe(204);
  await vi.waitFor(async () => expect(await statusOf(plain)).toBe(404));
  expect(await statusOf(await told())).toBe(200);
  expect(list.access(versionFileKey(project.id, other.id, 'a.jar'), '')).toBe('open');
});
