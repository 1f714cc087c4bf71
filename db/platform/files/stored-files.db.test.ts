import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { lockProject } from '../../catalogue/versions/write.ts';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { bytesOf } from '../../testing/storage-contract.ts';
import { newId } from '../id.ts';
import type { Db } from '../postgres/sql.ts';
import { diskStorage } from '../storage/disk.ts';
import { adoptStorage } from '../storage/pairing.ts';
import type { Storage } from '../storage/storage.ts';
import { versionFileKey } from '../storage/url.ts';
import { collectGarbage } from './garbage-collect.ts';
import {
  type FileLocation,
  type NewFile,
  type RunInTransaction,
  removeOrphans,
  withStoredFiles,
} from './stored-files.ts';

const database = testDatabase();
const folder = await mkdtemp(join(tmpdir(), 'cairn-storing-'));
afterAll(async () => await rm(folder, { recursive: true, force: true }));
const storage = diskStorage(folder);

const begin: RunInTransaction = async <T>(work: (tx: Db) => Promise<T>) =>
  (await database.sql.begin(work)) as T;

/** A version without files, and a staged upload for it. */
async function waiting(filename = 'a.jar', bytes = 'bytes') {
  const version = await build.version(database.sql, await build.project(database.sql), { files: [] });
  const place: FileLocation = { project_id: version.project_id, version_id: version.id, filename };
  return { place, file: { ...place, content: await storage.stage(bytesOf([bytes])) } satisfies NewFile };
}
const rowOf = ({ version_id, filename }: FileLocation) => ({
  id: newId(),
  version_id,
  filename,
  size: 5,
  sha1: newId().padEnd(40, '0'),
  sha512: 'b'.repeat(128),
});
const keyOf = ({ project_id, version_id, filename }: FileLocation) =>
  versionFileKey(project_id, version_id, filename);
const stored = async (place: FileLocation) => (await storage.head(keyOf(place))) !== null;
const contentOf = async (place: FileLocation) => await text((await storage.read(keyOf(place)))!);

test('stores the files before the transaction begins', async () => {
  const { place, file } = await waiting();
  const began: boolean[] = [];
  const watched: RunInTransaction = async (work) => {
    began.push(await stored(place));
    return await begin(work);
  };
  await withStoredFiles(
    watched,
    storage,
    [file],
    async (tx) => await tx`insert into files ${tx(rowOf(place))}`,
  );
  expect(began).toEqual([true]);
  expect(await stored(place)).toBe(true);
});

test("does not lock the project's row during file I/O", async () => {
  const { place, file } = await waiting();
  const moving = Promise.withResolvers<void>();
  const moved = Promise.withResolvers<void>();
  const slow: Storage = {
    ...storage,
    put: async (key, content) => {
      moving.resolve();
      await moved.promise;
      return await storage.put(key, content);
    },
  };
  const publishing = withStoredFiles(begin, slow, [file], async (tx) => {
    await lockProject(tx, place.project_id);
    await tx`insert into files ${tx(rowOf(place))}`;
  });
  await moving.promise;
  await database.sql.begin(
    async (tx) => await tx`select 1 from projects where id = ${place.project_id} for update nowait`,
  );
  const [open] = await database.sql`
    select count(*)::int as transactions from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`;
  expect(open!.transactions).toBe(0);
  moved.resolve();
  await publishing;
});

test('removes the files when the transaction fails', async () => {
  const { place, file } = await waiting();
  const failed = withStoredFiles(begin, storage, [file], async (tx) => {
    await tx`insert into files ${tx(rowOf(place))}`;
    await tx`select 1 / 0`;
  });
  await expect(failed).rejects.toThrow('division by zero');
  expect(await stored(place)).toBe(false);
});

test('keeps the files when the commit succeeds but its result is lost', async () => {
  const { place, file } = await waiting();
  let lost = false;
  const forgetful: RunInTransaction = async (work) => {
    const result = await begin(work);
    if (lost) return result;
    lost = true;
    throw new Error('the connection broke');
  };
  const failed = withStoredFiles(forgetful, storage, [file], async (tx) => {
    await tx`insert into files ${tx(rowOf(place))}`;
  });
  await expect(failed).rejects.toThrow('the connection broke');
  expect(await stored(place)).toBe(true);
});

test('replaces an object that a crash left without a row', async () => {
  const { place, file } = await waiting();
  await storage.putBytes(keyOf(place), Buffer.from('left over'));
  await withStoredFiles(
    begin,
    storage,
    [file],
    async (tx) => await tx`insert into files ${tx(rowOf(place))}`,
  );
  expect(await contentOf(place)).toBe('bytes');
});

test('never replaces the file of a row: refuses a second one of its name', async () => {
  const { place, file } = await waiting();
  await withStoredFiles(
    begin,
    storage,
    [file],
    async (tx) => await tx`insert into files ${tx(rowOf(place))}`,
  );
  const second = { ...place, content: await storage.stage(bytesOf(['other'])) };
  await expect(withStoredFiles(begin, storage, [second], async () => {})).rejects.toMatchObject({
    code: 'file_name_repeated',
  });
  expect(await contentOf(place)).toBe('bytes');
});

test('lets one of two concurrent uploads of the same name win, and keeps its content', async () => {
  const { place, file } = await waiting('a.jar', 'first');
  const other = { ...place, content: await storage.stage(bytesOf(['second'])) };
  const insert = (name: string) => async (tx: Db) => {
    await tx`insert into files ${tx({ ...rowOf(place), sha512: name })}`;
  };
  const results = await Promise.allSettled([
    withStoredFiles(begin, storage, [file], insert('first')),
    withStoredFiles(begin, storage, [other], insert('second')),
  ]);
  expect(results.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1);
  const [row] = await database.sql`select sha512 from files where version_id = ${place.version_id}`;
  if (row) expect(await contentOf(place)).toBe(row.sha512);
  else expect(await stored(place)).toBe(false);
});

test('stores a file again when a removal of the same name deletes it meanwhile', async () => {
  const { place, file } = await waiting();
  let removed = false;
  const disturbed: RunInTransaction = async (work) => {
    if (!removed) await storage.remove(keyOf(place)); // the delayed removal of an older file of this name
    removed = true;
    return await begin(work);
  };
  await withStoredFiles(
    disturbed,
    storage,
    [file],
    async (tx) => await tx`insert into files ${tx(rowOf(place))}`,
  );
  expect(await contentOf(place)).toBe('bytes');
});

test('does not remove a file that has a row again', async () => {
  const { place, file } = await waiting();
  let cleared: Promise<void> | undefined;
  await withStoredFiles(begin, storage, [file], async (tx) => {
    cleared = removeOrphans(begin, storage, [place]); // of an older file of this name, deleted just before
    await tx`insert into files ${tx(rowOf(place))}`;
  });
  await cleared;
  expect(await stored(place)).toBe(true);
  await database.sql`delete from files where version_id = ${place.version_id}`;
  await removeOrphans(begin, storage, [place, { ...place, filename: 'never.jar' }]);
  expect(await stored(place)).toBe(false);
});

test('a process killed before its transaction leaves only garbage that is collected a day later', async () => {
  const { place } = await waiting();
  const program = `
    import { diskStorage } from '#db/platform/storage/disk.ts';
    import { withStoredFiles } from '#db/platform/files/stored-files.ts';
    const [folder, place] = process.argv.slice(1);
    const storage = diskStorage(folder);
    const content = await storage.stage((async function* () { yield Buffer.from('bytes'); })());
    await withStoredFiles(() => process.kill(process.pid, 'SIGKILL'), storage, [{ ...JSON.parse(place), content }], async () => {});
  `;
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', program, folder, JSON.stringify(place)],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const [, signal] = await once(child, 'exit');
  expect(signal).toBe('SIGKILL');
  expect(await stored(place)).toBe(true);
  const [row] = await database.sql`select 1 from files where version_id = ${place.version_id}`;
  expect(row).toBeUndefined();
  await adoptStorage(database.sql, storage);
  expect(await collectGarbage(database.sql, storage, new Date(), { force: true })).toMatchObject({
    removed: 0,
  });
  expect(await stored(place)).toBe(true);
  const tomorrow = new Date(Date.now() + 25 * 3_600_000);
  await collectGarbage(database.sql, storage, tomorrow, { force: true });
  expect(await stored(place)).toBe(false);
  expect(await storage.removeStaged(new Date(Date.now() + 60_000), { dry_run: true })).toBe(0);
});
