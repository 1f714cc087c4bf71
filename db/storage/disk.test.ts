import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { diskStorage } from './disk.ts';
import type { Storage } from './storage.ts';

let folder: string;
let storage: Storage;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-disk-'));
  storage = diskStorage(folder);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const arrived = async (content: string): Promise<string> => {
  const path = join(storage.tmp, `arrived-${Math.random()}`);
  await writeFile(path, content);
  return path;
};
const keysBelow = async (prefix: string): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of storage.list(prefix)) keys.push(key);
  return keys.sort();
};

test('a finished upload moves to its key and leaves nothing in tmp', async () => {
  await storage.putFile('data/AAAA/versions/BBBB/mod 1+2.jar', await arrived('content'));
  const read = await storage.read('data/AAAA/versions/BBBB/mod 1+2.jar');
  expect(await text(read!)).toBe('content');
  expect(await storage.head('data/AAAA/versions/BBBB/mod 1+2.jar')).toMatchObject({ size: 7 });
  expect(await readdir(storage.tmp)).toEqual([]);
});

test('an existing key is refused and keeps its content', async () => {
  await storage.putFile('data/AAAA/a.jar', await arrived('first'));
  await expect(storage.putFile('data/AAAA/a.jar', await arrived('second'))).rejects.toThrow('EEXIST');
  expect(await text((await storage.read('data/AAAA/a.jar'))!)).toBe('first');
});

test('small bytes may be stored again under the same key', async () => {
  await storage.putBytes('data/AAAA/hash.png', Buffer.from('one'));
  await storage.putBytes('data/AAAA/hash.png', Buffer.from('one'));
  expect(await text((await storage.read('data/AAAA/hash.png', { start: 1, end: 2 }))!)).toBe('ne');
  expect(await readdir(storage.tmp)).toEqual([]);
});

test('what is not there is null, folders are no objects, removing it again is fine', async () => {
  await storage.putBytes('data/AAAA/x.png', Buffer.from('x'));
  expect(await storage.head('data/AAAA')).toBeNull();
  expect(await storage.read('data/AAAA/y.png')).toBeNull();
  expect(await storage.head('data/AAAA/x.png/deeper')).toBeNull();
  await storage.remove('data/AAAA/x.png');
  await storage.remove('data/AAAA/x.png');
  expect(await readdir(join(folder, 'objects'))).toEqual([]);
});

test.each([
  'data/../secret',
  'data/..',
  'data/./x',
  '../data/x',
  '/data/x',
  'data//x',
  'data/x/',
  'data/a\\b',
  'data/a\0b',
  'other/x',
  'data',
  '',
  `data/${'x'.repeat(256)}`,
])('the key %j cannot leave the folder: it is an error everywhere', async (key) => {
  const path = await arrived('x');
  await expect(storage.putFile(key, path)).rejects.toThrow('Not a storage key');
  await expect(storage.putBytes(key, Buffer.from('x'))).rejects.toThrow('Not a storage key');
  await expect(storage.head(key)).rejects.toThrow('Not a storage key');
  await expect(storage.read(key)).rejects.toThrow('Not a storage key');
  await expect(storage.remove(key)).rejects.toThrow('Not a storage key');
});

test('everything below a prefix is listed and removed, its neighbours stay', async () => {
  for (const key of [
    'data/A/icon.png',
    'data/A/images/1.webp',
    'data/A/versions/V/f.jar',
    'data/AB/icon.png',
  ])
    await storage.putBytes(key, Buffer.from(key));
  expect(await keysBelow('data/A')).toEqual([
    'data/A/icon.png',
    'data/A/images/1.webp',
    'data/A/versions/V/f.jar',
  ]);
  expect(await keysBelow('data/')).toHaveLength(4);
  expect(await keysBelow('data/none')).toEqual([]);
  await storage.removeAll('data/A/');
  expect(await keysBelow('data')).toEqual(['data/AB/icon.png']);
  await expect(storage.removeAll('data')).rejects.toThrow('Not a storage key');
});

test('puts and removals in the same folder at the same time all succeed', async () => {
  const puts = Array.from({ length: 40 }, (_, i) =>
    storage.putBytes(`data/A/versions/${i % 4}/${i}.png`, Buffer.from('x')),
  );
  const removals = Array.from({ length: 40 }, (_, i) =>
    storage.remove(`data/A/versions/${i % 4}/none${i}.png`),
  );
  await Promise.all([...puts, ...removals]);
  expect(await keysBelow('data/A')).toHaveLength(40);
});
