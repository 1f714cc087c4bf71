import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ObjectExists, PartialMoved, type StagedFile, type Storage } from '../platform/storage/storage.ts';

/**
 * Contract test of `Storage`; every adapter calls it in its test: `storageContract('disk', async () => ({ storage,
 * close }))`.
 */
export function storageContract(
  name: string,
  make: () => Promise<{ storage: Storage; close(): Promise<void> }>,
): void {
  let storage: Storage;
  let close: () => Promise<void>;
  beforeEach(async () => {
    ({ storage, close } = await make());
  });
  afterEach(async () => await close());

  const stage = async (...chunks: string[]): Promise<StagedFile> => await storage.stage(bytesOf(chunks));
  const keysBelow = async (prefix: string): Promise<string[]> => {
    const keys: string[] = [];
    for await (const { key } of storage.list(prefix)) keys.push(key);
    return keys.sort();
  };
  const content = async (key: string, range?: { start: number; end: number }): Promise<string | null> => {
    const stream = await storage.read(key, range);
    return stream && (await text(stream));
  };
  const staged = () => storage.removeStaged(new Date(Date.now() + 60_000), { dry_run: true });

  describe(`${name} storage`, () => {
    test('stages a stream, reads it at any position, puts it under a key and discards it', async () => {
      const file = await stage('con', '', 'tent');
      expect(file.size).toBe(7);
      const open = await file.open();
      expect(open.size).toBe(7);
      expect(String(await open.readAt(2, 3))).toBe('nte');
      expect(String(await open.readAt(5, 100))).toBe('nt');
      expect((await open.readAt(7, 1)).length).toBe(0);
      expect((await open.readAt(70, 10)).length).toBe(0);
      await open.close();
      const object = await storage.put('data/AAAA/versions/BBBB/mod 1+2.jar', file);
      expect(object).toMatchObject({ key: 'data/AAAA/versions/BBBB/mod 1+2.jar', size: 7 });
      expect(await storage.head(object.key)).toEqual(object);
      await file.discard();
      await file.discard();
      expect(await staged()).toBe(0);
      expect(await content(object.key)).toBe('content');
    });

    test('leaves nothing when the sender fails', async () => {
      const failing = (async function* () {
        yield Buffer.from('half');
        throw new Error('hung up');
      })();
      await expect(storage.stage(failing)).rejects.toThrow('hung up');
      expect(await staged()).toBe(0);
    });

    test('appends pieces to a staged file, keeps what arrived before a break, and finds it again', async () => {
      expect(await storage.partial('AABB')).toBeNull();
      expect(await storage.appendPartial('AABB', 0, bytesOf(['con', 't']))).toBe(4);
      const failing = (async function* () {
        yield Buffer.from('e');
        throw new Error('hung up');
      })();
      await expect(storage.appendPartial('AABB', 4, failing)).rejects.toThrow('hung up');
      await expect(storage.appendPartial('AABB', 4, bytesOf(['x']))).rejects.toThrow(PartialMoved);
      expect(await storage.appendPartial('AABB', 5, bytesOf(['nt']))).toBe(7);
      const file = await storage.partial('AABB');
      expect(file?.size).toBe(7);
      await storage.put('data/AAAA/a.jar', file!);
      await file!.discard();
      expect(await storage.partial('AABB')).toBeNull();
      expect(await content('data/AAAA/a.jar')).toBe('content');
      expect(await staged()).toBe(0);
      await expect(storage.appendPartial('../x', 0, bytesOf(['x']))).rejects.toThrow('Not the id');
    });

    test('refuses an existing key and keeps its content; the file can be put under another key', async () => {
      await storage.put('data/AAAA/a.jar', await stage('first'));
      const second = await stage('second');
      await expect(storage.put('data/AAAA/a.jar', second)).rejects.toThrow(ObjectExists);
      expect(await content('data/AAAA/a.jar')).toBe('first');
      await storage.put('data/AAAA/b.jar', second);
      expect(await content('data/AAAA/b.jar')).toBe('second');
    });

    test('lets exactly one of many concurrent puts of a key succeed', async () => {
      const files = await Promise.all(Array.from({ length: 12 }, (_, i) => stage(`${i}`)));
      const results = await Promise.allSettled(files.map((file) => storage.put('data/AAAA/x.jar', file)));
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    test('changes the etag of an object that is stored again', async () => {
      const { etag } = await storage.put('data/AAAA/a.jar', await stage('same'));
      expect((await storage.head('data/AAAA/a.jar'))!.etag).toBe(etag);
      await storage.remove('data/AAAA/a.jar');
      expect((await storage.put('data/AAAA/a.jar', await stage('same'))).etag).not.toBe(etag);
    });

    test('may store small content again under the same key, and has inclusive ranges', async () => {
      await storage.putBytes('data/AAAA/hash.png', Buffer.from('one'));
      await storage.putBytes('data/AAAA/hash.png', Buffer.from('two'));
      expect(await content('data/AAAA/hash.png')).toBe('two');
      expect(await content('data/AAAA/hash.png', { start: 1, end: 2 })).toBe('wo');
      expect(await content('data/AAAA/hash.png', { start: 0, end: 0 })).toBe('t');
    });

    test('gives null for missing objects and folders, and ignores a second removal', async () => {
      await storage.putBytes('data/AAAA/x.png', Buffer.from('x'));
      expect(await storage.head('data/AAAA')).toBeNull();
      expect(await storage.read('data/AAAA/y.png')).toBeNull();
      expect(await storage.head('data/AAAA/x.png/deeper')).toBeNull();
      await storage.remove('data/AAAA/x.png');
      await storage.remove('data/AAAA/x.png');
      expect(await keysBelow('data')).toEqual([]);
    });

    test('moves an object, overwrites the target and removes the old key', async () => {
      const { modified } = await storage.putBytes('data/A/x.png', Buffer.from('new'));
      await storage.putBytes('trash/2026-01-10/data/A/x.png', Buffer.from('old'));
      expect(await storage.move('data/A/x.png', 'trash/2026-01-10/data/A/x.png')).toBe(true);
      expect(await content('trash/2026-01-10/data/A/x.png')).toBe('new');
      expect(await storage.head('data/A/x.png')).toBeNull();
      expect(await storage.move('data/A/x.png', 'trash/2026-01-10/data/A/x.png')).toBe(false);
      expect(await storage.move('trash/2026-01-10/data/A/x.png', 'data/A/x.png')).toBe(true);
      expect((await storage.head('data/A/x.png'))!.modified).toEqual(modified);
      expect(await keysBelow('trash')).toEqual([]);
    });

    test.each(notKeys)('throws for the key %j everywhere', async (key) => {
      const file = await stage('x');
      const refused = 'Not a storage key';
      await expect(storage.put(key, file)).rejects.toThrow(refused);
      await expect(storage.putBytes(key, Buffer.from('x'))).rejects.toThrow(refused);
      await expect(storage.head(key)).rejects.toThrow(refused);
      await expect(storage.read(key)).rejects.toThrow(refused);
      await expect(storage.remove(key)).rejects.toThrow(refused);
      await expect(storage.move(key, 'data/A/x.png')).rejects.toThrow(refused);
      await expect(storage.move('data/A/x.png', key)).rejects.toThrow(refused);
    });

    test('lists and removes everything below a prefix, and nothing else', async () => {
      for (const key of [
        'data/A/icon.png',
        'data/A/images/1.webp',
        'data/A/versions/V/f.jar',
        'data/AB/i.png',
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
      expect(await keysBelow('data')).toEqual(['data/AB/i.png']);
      await expect(storage.removeAll('data')).rejects.toThrow('Not a storage key');
    });

    test('handles concurrent puts and removals in one folder', async () => {
      const puts = Array.from({ length: 40 }, (_, i) =>
        storage.putBytes(`data/A/versions/${i % 4}/${i}.png`, Buffer.from('x')),
      );
      const removals = Array.from({ length: 40 }, (_, i) =>
        storage.remove(`data/A/versions/${i % 4}/none${i}.png`),
      );
      await Promise.all([...puts, ...removals]);
      expect(await keysBelow('data/A')).toHaveLength(40);
    });

    test('removes only staged files that are old enough', async () => {
      await stage('x');
      await stage('y');
      expect(await storage.removeStaged(new Date(Date.now() - 60_000))).toBe(0);
      expect(await staged()).toBe(2);
      expect(await storage.removeStaged(new Date(Date.now() + 60_000))).toBe(2);
      expect(await staged()).toBe(0);
    });

    test('stores the installation id', async () => {
      expect(await storage.readInstallationId()).toBeNull();
      await storage.writeInstallationId('one');
      await storage.writeInstallationId('two');
      expect(await storage.readInstallationId()).toBe('two');
      expect(await keysBelow('data')).toEqual([]);
    });

    test('reports that it is writable, and its free space if known', async () => {
      expect(await storage.isWritable()).toBe(true);
      const space = await storage.space();
      if (space) expect(space.total_bytes).toBeGreaterThanOrEqual(space.free_bytes);
    });
  });
}

/** `chunks` as an upload stream. */
export async function* bytesOf(chunks: Array<string | Uint8Array>): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield Buffer.from(chunk as string);
}

const notKeys = [
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
];
