import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { storageContract } from '../testing/storage-contract.ts';
import { diskStorage } from './disk.ts';
import { reserveBytes } from './reserve.ts';
import type { Space } from './storage.ts';

const made = async (space?: () => Promise<Space>) => {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-disk-'));
  const close = async () => await rm(folder, { recursive: true, force: true });
  return { folder, storage: diskStorage(folder, space ? { space } : {}), close };
};

storageContract('disk', made);

const gb = 1024 ** 3;

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
