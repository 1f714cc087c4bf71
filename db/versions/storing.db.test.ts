import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { newId } from '../id.ts';
import * as build from '../seed/build.ts';
import type { Db } from '../sql.ts';
import { diskStorage } from '../storage/disk.ts';
import { versionFileKey } from '../storage/url.ts';
import { testDatabase } from '../test-database.ts';
import { type Begin, clear, type Place, storing } from './storing.ts';

const database = testDatabase();
const folder = await mkdtemp(join(tmpdir(), 'cairn-storing-'));
afterAll(async () => await rm(folder, { recursive: true, force: true }));
const storage = diskStorage(folder);

const begin: Begin = async <T>(work: (tx: Db) => Promise<T>) => (await database.sql.begin(work)) as T;

/** A version without files, a place in it and bytes waiting in tmp. */
async function waiting(filename = 'a.jar') {
  const version = await build.version(database.sql, await build.project(database.sql), { files: [] });
  const place: Place = { project_id: version.project_id, version_id: version.id, filename };
  const path = join(storage.tmp, newId());
  await writeFile(path, 'bytes');
  return { place, path };
}
const rowOf = ({ version_id, filename }: Place) => ({
  id: newId(),
  version_id,
  filename,
  size: 5,
  sha1: newId().padEnd(40, '0'),
  sha512: 'b'.repeat(128),
});
const stored = async ({ project_id, version_id, filename }: Place) =>
  (await storage.head(versionFileKey(project_id, version_id, filename))) !== null;

test('the bytes lie at their place before the transaction commits', async () => {
  const { place, path } = await waiting();
  await storing(begin, storage, async (tx, put) => {
    await put(place, path);
    expect(await stored(place)).toBe(true);
    await tx`insert into files ${tx(rowOf(place))}`;
  });
  expect(await stored(place)).toBe(true);
});

test('a transaction that fails after storing takes its bytes back', async () => {
  const { place, path } = await waiting();
  const failed = storing(begin, storage, async (tx, put) => {
    await put(place, path);
    await tx`insert into files ${tx(rowOf(place))}`;
    await tx`select 1 / 0`;
  });
  await expect(failed).rejects.toThrow('division by zero');
  expect(await stored(place)).toBe(false);
});

test('a commit whose answer is lost keeps its bytes', async () => {
  const { place, path } = await waiting();
  let lost = false;
  const forgetful: Begin = async (work) => {
    const result = await begin(work);
    if (lost) return result;
    lost = true;
    throw new Error('the connection broke');
  };
  const failed = storing(forgetful, storage, async (tx, put) => {
    await put(place, path);
    await tx`insert into files ${tx(rowOf(place))}`;
  });
  await expect(failed).rejects.toThrow('the connection broke');
  expect(await stored(place)).toBe(true);
});

test('an object a crash left without a row makes room', async () => {
  const { place, path } = await waiting();
  await storage.putBytes(
    versionFileKey(place.project_id, place.version_id, place.filename),
    Buffer.from('left over'),
  );
  await storing(begin, storage, async (_, put) => await put(place, path));
  const object = await storage.head(versionFileKey(place.project_id, place.version_id, place.filename));
  expect(object?.size).toBe(5);
});

test('clearing waits for an upload to the same place and leaves what has a row again', async () => {
  const { place, path } = await waiting();
  let cleared: Promise<void> | undefined;
  await storing(begin, storage, async (tx, put) => {
    await put(place, path);
    cleared = clear(begin, storage, [place]); // of an older file of this name, deleted just before
    await tx`insert into files ${tx(rowOf(place))}`;
  });
  await cleared;
  expect(await stored(place)).toBe(true);
  await database.sql`delete from files where version_id = ${place.version_id}`;
  await clear(begin, storage, [place, { ...place, filename: 'never.jar' }]);
  expect(await stored(place)).toBe(false);
});
