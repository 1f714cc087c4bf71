import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { RunInTransaction } from '../../platform/files/stored-files.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { diskStorage } from '../../platform/storage/disk.ts';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { setProjectIcon } from './icon.ts';

const database = testDatabase();
const folder = await mkdtemp(join(tmpdir(), 'cairn-icon-'));
afterAll(async () => await rm(folder, { recursive: true, force: true }));
const storage = diskStorage(folder);
const begin: RunInTransaction = async <T>(work: (tx: Db) => Promise<T>) =>
  (await database.sql.begin(work)) as T;
const icon = { raw: { suffix: '.png', bytes: Buffer.from('icon') }, copies: [], color: 1 };
const keys = async () => {
  const found: string[] = [];
  for await (const { key } of storage.list('data')) found.push(key);
  return found;
};

test('stores an icon before the transaction, and removes it with the icon', async () => {
  const project = await build.project(database.sql);
  const actor = build.actorFor(project.owner);
  let before: string[] = [];
  const watched: RunInTransaction = async (work) => {
    before = await keys();
    return await begin(work);
  };
  await setProjectIcon(watched, storage, { actor, project_id: project.id, now: new Date() }, icon);
  expect(before).toHaveLength(1);
  expect(await keys()).toEqual(before);
  await setProjectIcon(begin, storage, { actor, project_id: project.id, now: new Date() }, null);
  expect(await keys()).toEqual([]);
});

test('stores an icon again that another change of it removes meanwhile', async () => {
  const project = await build.project(database.sql);
  let removed = 0;
  const disturbed: RunInTransaction = async (work) => {
    if (removed++ === 0) for (const key of await keys()) await storage.remove(key);
    return await begin(work);
  };
  await setProjectIcon(
    disturbed,
    storage,
    { actor: build.actorFor(project.owner), project_id: project.id, now: new Date() },
    icon,
  );
  const [row] = await database.sql`select icon_key from projects where id = ${project.id}`;
  expect(await keys()).toEqual([row!.icon_key]);
});

test('leaves nothing of a refused icon', async () => {
  const before = await keys();
  const project = await build.project(database.sql);
  const stranger = build.actorFor(await build.user(database.sql));
  await expect(
    setProjectIcon(begin, storage, { actor: stranger, project_id: project.id, now: new Date() }, icon),
  ).rejects.toMatchObject({
    code: 'not_a_member',
  });
  expect(await keys()).toEqual(before);
});

test('counts for the daily quota of who sets it', async () => {
  const { sql } = database;
  const project = await build.project(sql);
  const actor = build.actorFor(project.owner);
  const set = async (of: typeof icon | null) =>
    await setProjectIcon(begin, storage, { actor, project_id: project.id, now: new Date() }, of);
  await set(icon);
  const [counted] = await sql`select uploaded_bytes::int as bytes from users where id = ${actor.user_id}`;
  expect(counted!.bytes).toBeGreaterThan(0);
  await sql`update users set upload_limit_bytes = ${counted!.bytes} where id = ${actor.user_id}`;
  await set(null);
  await expect(set(icon)).rejects.toMatchObject({ code: 'upload_quota_reached' });
  expect((await keys()).filter((key) => key.includes(project.id))).toEqual([]);
});
