import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { image, project, user, version } from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { diskStorage } from '../storage/disk.ts';
import { adoptStorage, isOwnStorage } from '../storage/pairing.ts';
import type { Storage } from '../storage/storage.ts';
import { collectGarbage } from './garbage-collect.ts';

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
  await adoptStorage(database.sql, storage);
});

const put = async (key: string, age_hours = 48): Promise<string> => {
  await storage.putBytes(key, Buffer.from('12345'));
  await utimes(join(folder, 'objects', key), hours(age_hours), hours(age_hours));
  return key;
};
const stored = async (): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of storage.list('data')) keys.push(key);
  return keys.sort();
};

/** One object of every kind that a row can name. */
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
    `data/users/${id}/b_480.webp`,
    `data/users/${id}/b.png`,
  ];
  await sql`update projects set icon_key = ${keys[1]!}, raw_icon_key = ${keys[2]!} where id = ${id}`;
  await sql`insert into gallery (project_id, key, raw_key) values (${id}, ${keys[3]!}, ${keys[4]!})`;
  const person = await user(sql);
  await sql`update users set avatar_key = ${keys[5]!}, raw_avatar_key = ${keys[6]!}, banner_key = ${keys[9]!}, raw_banner_key = ${keys[10]!} where id = ${person.id}`;
  await sql`insert into organizations (id, slug, name, team_id, icon_key, raw_icon_key) select ${id}, ${id}, 'O', team, ${keys[7]!}, ${keys[8]!} from projects where id = ${id}`;
  // rows name only the smallest copy of an image
  const larger = [
    `data/${id}/i_256.webp`,
    `data/${id}/i_512.webp`,
    `data/${id}/images/g_1050.webp`,
    `data/users/${id}/b_1600.webp`,
  ];
  for (const key of [...keys, ...larger]) await put(key);
  return [...keys, ...larger];
}

test('keeps objects named by a row, however old, and moves others to the trash', async () => {
  const keys = await named();
  const [file] = keys;
  await put(file!.replace('пак', 'other'));
  await put(file!.replace(/^data\/[^/]+/, 'data/nowhere1'));
  await put('data/nowhere1/abc.png');
  await put('data/nowhere1/abc_256.webp');
  expect(await collectGarbage(database.sql, storage, now)).toEqual({
    seen: 19,
    removed: 4,
    bytes: 20,
    tmp_removed: 0,
    trash_removed: 0,
  });
  expect(await stored()).toEqual([...keys].sort());
});

test('keeps objects younger than a day, whose row may not be inserted yet', async () => {
  await put('data/A/young.png', 23.9);
  await put('data/A/old.png', 24.1);
  expect(await collectGarbage(database.sql, storage, now)).toMatchObject({ seen: 2, removed: 1 });
  expect(await stored()).toEqual(['data/A/young.png']);
});

test('keeps the files of images of texts, and moves those without a row', async () => {
  const { key, raw_key } = await image(database.sql, await user(database.sql));
  for (const one of [key, raw_key, 'data/cached_images/gone.png']) await put(one);
  expect(await collectGarbage(database.sql, storage, now)).toMatchObject({ seen: 3, removed: 1 });
  expect(await stored()).toEqual([key, raw_key].sort());
});

test('removes unfinished uploads after a day', async () => {
  for (const [name, age] of [
    ['old', 25],
    ['young', 23],
  ] as const) {
    await writeFile(join(folder, 'tmp', name), 'x');
    await utimes(join(folder, 'tmp', name), hours(age), hours(age));
  }
  expect(await collectGarbage(database.sql, storage, now)).toMatchObject({ tmp_removed: 1 });
  expect(await readdir(join(folder, 'tmp'))).toEqual(['young']);
});

test('a dry run counts the same and removes nothing', async () => {
  await put('data/A/1.png');
  await writeFile(join(folder, 'tmp', 'old'), 'x');
  await utimes(join(folder, 'tmp', 'old'), hours(25), hours(25));
  expect(await collectGarbage(database.sql, storage, now, { dry_run: true })).toEqual({
    seen: 1,
    removed: 1,
    bytes: 5,
    tmp_removed: 1,
    trash_removed: 0,
  });
  expect(await stored()).toHaveLength(1);
  expect(await collectGarbage(database.sql, storage, now)).toEqual({
    seen: 1,
    removed: 1,
    bytes: 5,
    tmp_removed: 1,
    trash_removed: 0,
  });
  expect(await collectGarbage(database.sql, storage, now)).toEqual({
    seen: 0,
    removed: 0,
    bytes: 0,
    tmp_removed: 0,
    trash_removed: 0,
  });
});

test('checks more objects than one batch', async () => {
  await Promise.all(
    Array.from({ length: 2101 }, (_, i) => storage.putBytes(`data/A/${i}.png`, Buffer.alloc(0))),
  );
  const later = new Date(Date.now() + 25 * 3_600_000);
  expect(await collectGarbage(database.sql, storage, later, { force: true })).toMatchObject({
    seen: 2101,
    removed: 2101,
  });
  expect(await stored()).toEqual([]);
});

describe('the safety limit', () => {
  const fill = async (named_count: number, others: number) => {
    const of = await project(database.sql);
    const keys = Array.from({ length: named_count }, (_, i) => `data/${of.id}/images/${i}.png`);
    for (const key of keys) {
      await put(key);
      await database.sql`insert into gallery (project_id, key, raw_key) values (${of.id}, ${key}, ${key})`;
    }
    for (let i = 0; i < others; i++) await put(`data/none/${i}.png`);
  };

  test('allows 5 % and refuses more, removing nothing', async () => {
    await fill(285, 15);
    expect(await collectGarbage(database.sql, storage, now, { dry_run: true })).toMatchObject({
      removed: 15,
    });
    expect(await collectGarbage(database.sql, storage, now)).toMatchObject({ seen: 300, removed: 15 });
    for (let i = 0; i < 16; i++) await put(`data/none/${i}.png`);
    await expect(collectGarbage(database.sql, storage, now)).rejects.toMatchObject({
      code: 'garbage_too_much',
      data: { objects: 16, seen: 301 },
    });
    expect(await stored()).toHaveLength(301);
    expect(await collectGarbage(database.sql, storage, now, { force: true })).toMatchObject({ removed: 16 });
    expect(await stored()).toHaveLength(285);
  });

  test('refuses to empty the storage of an empty database', async () => {
    for (let i = 0; i < 11; i++) await put(`data/A/${i}.png`);
    await expect(collectGarbage(database.sql, storage, now)).rejects.toMatchObject({
      code: 'garbage_too_much',
    });
    expect(await stored()).toHaveLength(11);
  });

  test('refuses the storage of another installation, and adopts it when forced', async () => {
    await put('data/A/1.png');
    await storage.writeInstallationId('another');
    await expect(collectGarbage(database.sql, storage, now)).rejects.toMatchObject({
      code: 'storage_foreign',
    });
    expect(await stored()).toHaveLength(1);
    expect(await collectGarbage(database.sql, storage, now, { force: true })).toMatchObject({ removed: 1 });
    expect(await isOwnStorage(database.sql, storage)).toBe(true);
  });

  test('refuses files without an installation id next to a database that has one, until there are none', async () => {
    await rm(join(folder, 'installation-id'));
    await put('data/A/1.png');
    await expect(collectGarbage(database.sql, storage, now)).rejects.toMatchObject({
      code: 'storage_foreign',
    });
    await storage.remove('data/A/1.png');
    expect(await isOwnStorage(database.sql, storage)).toBe(true);
  });

  test('refuses a database without an installation id next to files that have one', async () => {
    await put('data/A/1.png');
    await database.sql`delete from installation where key = 'installation_id'`;
    await expect(collectGarbage(database.sql, storage, now)).rejects.toMatchObject({
      code: 'storage_foreign',
    });
    expect(await stored()).toHaveLength(1);
  });
});

test('keeps garbage in the trash for 14 days, whatever its age', async () => {
  await put('data/A/1.png', 1000);
  const days = (count: number) => new Date(now.getTime() + count * 24 * 3_600_000);
  const trash = async () => {
    const keys: string[] = [];
    for await (const { key } of storage.list('trash')) keys.push(key);
    return keys;
  };
  await collectGarbage(database.sql, storage, now);
  expect(await trash()).toEqual(['trash/2026-01-10/data/A/1.png']);
  expect(await collectGarbage(database.sql, storage, days(14))).toMatchObject({ trash_removed: 0 });
  expect(await collectGarbage(database.sql, storage, days(15), { dry_run: true })).toMatchObject({
    trash_removed: 1,
  });
  expect(await trash()).toHaveLength(1);
  expect(await collectGarbage(database.sql, storage, days(15))).toMatchObject({ trash_removed: 1 });
  expect(await trash()).toEqual([]);
});
