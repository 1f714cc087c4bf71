import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeStatus } from '#db/catalogue/projects/change-status.ts';
import { type LockedProject, lockProject } from '#db/catalogue/projects/locked.ts';
import { rejectAsMalware } from '#db/catalogue/projects/malware.ts';
import { restoreProject, takeDown } from '#db/moderation/takedowns/write.ts';
import type { Db, Pool } from '#db/platform/postgres/sql.ts';
import { diskStorage } from '#db/platform/storage/disk.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { type BlockedFiles, blockedFiles } from './blocked-files.ts';
import { filesHandler } from './stored-files.ts';

const database = testDatabase();
const log = pino({ level: 'silent' });
const folder = await mkdtemp(join(tmpdir(), 'cairn-blocked-'));
const storage = diskStorage(folder);
const purged: string[] = [];
let cdn: Server;
let server: Server;
let blocked: BlockedFiles;

const listening = async (made: Server): Promise<string> => {
  made.listen(0, '127.0.0.1');
  await once(made, 'listening');
  return `http://127.0.0.1:${(made.address() as AddressInfo).port}`;
};
let origin: string;
beforeAll(async () => {
  cdn = createServer(async (req, res) => {
    purged.push(...((await json(req)) as { paths: string[] }).paths);
    res.end();
  });
  const settings = { PURGE_URL: await listening(cdn) };
  // the poll interval is too long to help here: only events trigger the refresh
  blocked = blockedFiles({ sql: database.sql, storage, settings, log, poll_ms: 3_600_000 });
  const handle = filesHandler({
    gone: async () => null,
    storage,
    hidden: { access: () => 'open' },
    blocked,
    usage: { count: () => {} },
    settings: { SITE_URL: 'https://cairn.example', COUNTRY_HEADER: undefined },
    addressOf: () => '',
    log,
  });
  server = createServer((req, res) => void handle(req, res));
  origin = await listening(server);
});
afterAll(async () => {
  await blocked.close();
  for (const one of [cdn, server]) one.close();
  await rm(folder, { recursive: true, force: true });
});

/** A project with a version file and an icon, and their addresses. */
async function stored() {
  const project = await build.project(database.sql);
  const keys = [`data/${project.id}/versions/AAAA/mod 1.jar`, `data/${project.id}/icon.png`];
  for (const key of keys) await storage.putBytes(key, Buffer.from('bytes'));
  const paths = keys.map((key) => `/${key.replaceAll(' ', '%20')}`);
  const statuses = async () =>
    await Promise.all(paths.map(async (path) => (await fetch(origin + path)).status));
  return { id: project.id, project, paths, statuses };
}
const moderator = async () =>
  build.actorFor(await build.user(database.sql, { role: 'moderator' }), { role: 'moderator' });
async function change(id: string, verb: (tx: Db, project: LockedProject) => Promise<unknown>): Promise<void> {
  const actor = await moderator();
  await database.sql.begin(async (tx) => await verb(tx, await lockProject(tx, id, actor)));
}
const now = new Date();

test('files of a project under legal hold answer 451 and are purged; a release serves them again', async () => {
  const actor = await moderator();
  const [one, other] = [await stored(), await stored()];
  await expect.poll(one.statuses).toEqual([200, 200]);
  await change(one.id, (tx, project) => takeDown(tx, actor, project, { reason: 'Order 7', now }));
  await expect.poll(one.statuses).toEqual([451, 451]);
  expect((await fetch(origin + one.paths[0])).headers.get('cache-control')).toBe('no-store');
  expect(await other.statuses()).toEqual([200, 200]);
  await expect.poll(() => purged).toEqual(expect.arrayContaining(one.paths));
  purged.length = 0;
  await change(one.id, (tx, project) => restoreProject(tx, actor, project, now));
  await expect.poll(one.statuses).toEqual([200, 200]);
  await expect.poll(() => purged).toEqual(expect.arrayContaining(one.paths));
});

test('files of a project that was rejected before it was held are blocked too', async () => {
  const actor = await moderator();
  const one = await stored();
  await change(one.id, (tx, project) => changeStatus(tx, actor, project, { to: 'rejected', api: 3, now }));
  expect(await one.statuses()).toEqual([200, 200]);
  await change(one.id, (tx, project) => takeDown(tx, actor, project, { reason: 'Order 8', now }));
  await expect.poll(one.statuses).toEqual([451, 451]);
});

test('files of malware answer 404 until the project leaves the status', async () => {
  const actor = await moderator();
  const one = await stored();
  await change(one.id, (tx, project) => changeStatus(tx, actor, project, { to: 'rejected', api: 3, now }));
  await change(one.id, (tx, project) => rejectAsMalware(tx, actor, project, now));
  await expect.poll(one.statuses).toEqual([404, 404]);
  await change(one.id, (tx, project) => changeStatus(tx, actor, project, { to: 'approved', api: 3, now }));
  await expect.poll(one.statuses).toEqual([200, 200]);
});

test('images of its texts are blocked with a project, unless another text uses them', async () => {
  const actor = await moderator();
  const [one, other] = [await stored(), await stored()];
  const version = await build.version(database.sql, one.project);
  const images = [
    await build.image(database.sql, { id: actor.user_id }, { project_id: one.id }),
    await build.image(database.sql, { id: actor.user_id }, { context: 'version', version_id: version.id }),
    await build.image(database.sql, { id: actor.user_id }, { project_id: one.id }),
  ];
  const shared = { key: images[2]!.key, raw_key: images[2]!.raw_key };
  await build.image(database.sql, { id: actor.user_id }, { project_id: other.id, ...shared });
  for (const { key, raw_key } of images)
    for (const name of [key, raw_key]) await storage.putBytes(name, Buffer.from('bytes'));
  const statuses = async () =>
    await Promise.all(
      images
        .flatMap(({ key, raw_key }) => [key, raw_key])
        .map(async (key) => (await fetch(`${origin}/${key}`)).status),
    );
  expect(await statuses()).toEqual([200, 200, 200, 200, 200, 200]);
  purged.length = 0;
  await change(one.id, (tx, project) => takeDown(tx, actor, project, { reason: 'Order 9', now }));
  await expect.poll(statuses).toEqual([451, 451, 451, 451, 200, 200]);
  await expect
    .poll(() => purged)
    .toEqual(expect.arrayContaining([`/${images[0]!.key}`, `/${images[1]!.raw_key}`]));
  expect(purged).not.toContain(`/${shared.key}`);
  await change(one.id, (tx, project) => restoreProject(tx, actor, project, now));
  await expect.poll(statuses).toEqual([200, 200, 200, 200, 200, 200]);
});

test('a starting site loads the blocked projects before it serves anything', async () => {
  const actor = await moderator();
  const one = await stored();
  await change(one.id, (tx, project) => rejectAsMalware(tx, actor, project, now));
  const until = Promise.withResolvers<void>();
  const timer = new Proxy(database.sql, {
    apply: (target, self, given) => until.promise.then(() => Reflect.apply(target, self, given)),
  }) as Pool;
  const settings = { PURGE_URL: undefined };
  const starting = blockedFiles({ sql: timer, storage, settings, log, poll_ms: 3_600_000 });
  expect(starting.reason(one.paths[0]!.slice(1))).toBe('unknown');
  const handle = filesHandler({
    gone: async () => null,
    storage,
    hidden: { access: () => 'open' },
    blocked: starting,
    usage: { count: () => {} },
    settings: { SITE_URL: 'https://cairn.example', COUNTRY_HEADER: undefined },
    addressOf: () => '',
    log,
  });
  const early = createServer((req, res) => void handle(req, res));
  const at = await listening(early);
  const answer = await fetch(at + one.paths[0]);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
  until.resolve();
  await expect.poll(async () => (await fetch(at + one.paths[0])).status).toBe(404);
  early.close();
  await starting.close();
});

test('what is blocked between the first read and the first event is blocked', async () => {
  const actor = await moderator();
  const { id } = await build.project(database.sql);
  const reason = () => starting?.reason(`data/${id}/icon.png`);
  let starting: BlockedFiles | undefined;
  try {
    await database.sql.begin(async (tx) => {
      await tx`lock table events in access exclusive mode`; // the first event is awaited only after this transaction
      const settings = { PURGE_URL: undefined };
      starting = blockedFiles({ sql: database.sql, storage, settings, log, poll_ms: 3_600_000 });
      await expect.poll(reason).toBeNull();
      const project = await lockProject(tx, id, actor);
      await takeDown(tx, actor, project, { reason: 'Order 7', now });
    });
    await expect.poll(reason, { timeout: 5_000 }).toBe('legal');
  } finally {
    await starting?.close();
  }
});
