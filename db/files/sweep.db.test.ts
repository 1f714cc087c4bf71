import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { project, user, version } from '../seed/build.ts';
import { diskStorage } from '../storage/disk.ts';
import type { Storage } from '../storage/storage.ts';
import { testDatabase } from '../test-database.ts';
import { sweep } from './sweep.ts';

const database = testDatabase();
const now = new Date('2026-01-10T00:00:00Z');
const hours = (count: number) => new Date(now.getTime() - count * 3_600_000);
let folder: string;
let storage: Storage;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-sweep-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  await rm(folder, { recursive: true, force: true });
  storage = diskStorage(folder);
});

const put = async (key: string, age_hours = 48): Promise<string> => {
  await storage.putBytes(key, Buffer.from('12345'));
  await utimes(join(storage.root!, key), hours(age_hours), hours(age_hours));
  return key;
};
const stored = async (): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of storage.list('data')) keys.push(key);
  return keys.sort();
};

/** One object of every kind that a row names. */
async function named(): Promise<string[]> {
  const { sql } = database;
  const of = await project(sql);
  const at = await version(sql, of);
  await sql`delete from files where version_id = ${at.id}`;
  await sql`insert into files (id, version_id, filename, is_primary, size, sha1, sha512) values (${`f${at.id.slice(1)}`}, ${at.id}, 'пак 1+2.jar', true, 5, 'a', 'b')`;
  const id = of.id;
  const keys = [
    `data/${id}/versions/${at.id}/пак 1+2.jar`,
    `data/${id}/i_96.webp`,
    `data/${id}/i.png`,
    `data/${id}/images/g_350.webp`,
    `data/${id}/images/g.png`,
    `data/users/${id}/a_96.webp`,
    `data/users/${id}/a.png`,
    `data/organizations/${id}/o_96.webp`,
    `data/organizations/${id}/o.png`,
  ];
  await sql`update projects set icon_key = ${keys[1]!}, raw_icon_key = ${keys[2]!} where id = ${id}`;
  await sql`insert into gallery (project_id, key, raw_key) values (${id}, ${keys[3]!}, ${keys[4]!})`;
  const person = await user(sql);
  await sql`update users set avatar_key = ${keys[5]!}, raw_avatar_key = ${keys[6]!} where id = ${person.id}`;
  await sql`insert into organizations (id, slug, name, team_id, icon_key, raw_icon_key) select ${id}, ${id}, 'O', team, ${keys[7]!}, ${keys[8]!} from projects where id = ${id}`;
  for (const key of keys) await put(key);
  return keys;
}

test('what a row names stays, however old; what none names goes', async () => {
  const keys = await named();
  const [file] = keys;
  await put(file!.replace('пак', 'other'));
  await put(file!.replace(/^data\/[^/]+/, 'data/nowhere1'));
  await put('data/nowhere1/abc.png');
  expect(await sweep(database.sql, storage, now)).toEqual({
    seen: 12,
    removed: 3,
    bytes: 15,
    tmp_removed: 0,
  });
  expect(await stored()).toEqual([...keys].sort());
});

test('what is younger than a day stays: its row may be on its way', async () => {
  await put('data/A/young.png', 23.9);
  await put('data/A/old.png', 24.1);
  await put('data/cached_images/text.png');
  expect(await sweep(database.sql, storage, now)).toMatchObject({ seen: 3, removed: 1 });
  expect(await stored()).toEqual(['data/A/young.png', 'data/cached_images/text.png']);
});

test('left-overs of uploads go after a day', async () => {
  for (const [name, age] of [
    ['old', 25],
    ['young', 23],
  ] as const) {
    await writeFile(join(storage.tmp, name), 'x');
    await utimes(join(storage.tmp, name), hours(age), hours(age));
  }
  expect(await sweep(database.sql, storage, now)).toMatchObject({ tmp_removed: 1 });
  expect(await readdir(storage.tmp)).toEqual(['young']);
});

test('a dry run counts the same and removes nothing', async () => {
  await put('data/A/1.png');
  await writeFile(join(storage.tmp, 'old'), 'x');
  await utimes(join(storage.tmp, 'old'), hours(25), hours(25));
  expect(await sweep(database.sql, storage, now, { dry_run: true })).toEqual({
    seen: 1,
    removed: 1,
    bytes: 5,
    tmp_removed: 1,
  });
  expect(await stored()).toHaveLength(1);
  expect(await sweep(database.sql, storage, now)).toEqual({ seen: 1, removed: 1, bytes: 5, tmp_removed: 1 });
  expect(await sweep(database.sql, storage, now)).toEqual({ seen: 0, removed: 0, bytes: 0, tmp_removed: 0 });
});

test('more objects than one batch are all judged', async () => {
  for (let i = 0; i < 2100; i++) {
    await writeFile(join(storage.tmp, `${i}`), '');
  }
  await storage.putBytes('data/A/x.png', Buffer.alloc(0));
  await Promise.all(
    Array.from({ length: 2100 }, (_, i) => storage.putFile(`data/A/${i}.png`, join(storage.tmp, `${i}`))),
  );
  const later = new Date(Date.now() + 25 * 3_600_000);
  expect(await sweep(database.sql, storage, later)).toMatchObject({ seen: 2101, removed: 2101 });
});
