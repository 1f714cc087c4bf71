import { existsSync, linkSync, rmSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { storageContract } from '../../testing/storage-contract.ts';
import { diskStorage } from './disk.ts';
import type { DiskStagedFile } from './disk-staged.ts';
import { reserveBytes } from './reserve.ts';
import type { Space } from './storage.ts';

const made = async (space?: () => Promise<Space>) => {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-disk-'));
  const close = async () => await rm(folder, { recursive: true, force: true });
  return { folder, storage: diskStorage(folder, space ? { space } : {}), close };
};

storageContract('disk', made);

const gb = 1024 ** 3;

test('an upload with long runs of zeros is stored byte by byte, but the zeros take no room', async () => {
  const { folder, storage, close } = await made();
  const zeros = Buffer.alloc(1024 * 1024);
  const chunks = [Buffer.from('begin'), ...Array<Buffer>(8).fill(zeros), Buffer.from('end'), zeros];
  await storage.put('data/A/sparse.jar', await storage.stage(Readable.from(chunks)));
  const { size, blocks } = await stat(join(folder, 'objects/data/A/sparse.jar'));
  expect(size).toBe(9 * zeros.length + 8);
  expect(blocks * 512).toBeLessThan(zeros.length);
  const read = await buffer((await storage.read('data/A/sparse.jar'))!);
  expect(read.equals(Buffer.concat(chunks))).toBe(true);
  await close();
});

describe('the reserved disk space', () => {
  test('is 5 %, and 5 GB on large disks', () => {
    expect(reserveBytes({ free_bytes: 0, total_bytes: 20 * gb })).toBe(gb);
    expect(reserveBytes({ free_bytes: 0, total_bytes: 1000 * gb })).toBe(5 * gb);
  });

  test('is not used by an upload or an image', async () => {
    const { folder, storage, close } = await made(async () => ({
      free_bytes: gb - 1,
      total_bytes: 20 * gb,
    }));
    const never = (async function* (): AsyncGenerator<Buffer> {
      yield await Promise.reject(new Error('the upload must not be read'));
    })();
    await expect(storage.stage(never)).rejects.toMatchObject({ code: 'storage_full' });
    await expect(storage.putBytes('data/A/x.png', Buffer.from('x'))).rejects.toMatchObject({
      code: 'storage_full',
    });
    expect([await readdir(join(folder, 'tmp')), await readdir(join(folder, 'objects'))]).toEqual([[], []]);
    await close();
  });

  test('aborts an upload that reaches it, and leaves nothing behind', async () => {
    let free_bytes = 2 * gb - 1;
    const { folder, storage, close } = await made(async () => ({ free_bytes, total_bytes: 20 * gb }));
    let sent = 0;
    const endless = (async function* () {
      for (;;) {
        sent += 1024 * 1024;
        free_bytes -= 64 * 1024 * 1024; // other uploads run at the same time
        yield Buffer.alloc(1024 * 1024);
      }
    })();
    await expect(storage.stage(endless)).rejects.toMatchObject({ code: 'storage_full' });
    expect(sent).toBe(16 * 1024 * 1024);
    expect(await readdir(join(folder, 'tmp'))).toEqual([]);
    await close();
  });
});

test('gives the identity of the object it stored, also when another upload replaces it at once', async () => {
  const { folder, storage, close } = await made();
  const bytesOf = async function* (text: string): AsyncGenerator<Buffer> {
    yield Buffer.from(text);
  };
  const key = 'data/A/versions/B/a.jar';
  const [first, second] = [await storage.stage(bytesOf('first')), await storage.stage(bytesOf('second'))];
  const target = join(folder, 'objects', key);
  const replaced = new Promise<void>((resolve) => {
    const watch = setInterval(() => {
      if (!existsSync(target)) return;
      clearInterval(watch);
      rmSync(target);
      linkSync((second as DiskStagedFile).path, target);
      resolve();
    }, 0);
  });
  // the loop of the watch runs between the steps of the put
  const stored = await storage.put(key, first);
  await replaced;
  expect(stored.size).toBe('first'.length);
  expect((await storage.head(key))?.etag).not.toBe(stored.etag);
  await close();
});
