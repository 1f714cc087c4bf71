import { randomUUID } from 'node:crypto';
import { constants, type FileHandle, open, opendir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { assertSpace, mapDiskFull } from './reserve.ts';
import { type OpenBytes, PartialMoved, type Space, type StagedFile } from './storage.ts';

/** Received bytes between two checks of the free space. */
const check_every_bytes = 16 * 1024 * 1024;

/** Zeros of at least this length become a hole: they take no room on disks that can have holes. */
const min_hole_bytes = 64 * 1024;
const zeros = Buffer.alloc(1024 * 1024);
const isHole = (chunk: Uint8Array): boolean =>
  chunk.length >= min_hole_bytes &&
  chunk.length <= zeros.length &&
  zeros.compare(chunk, 0, chunk.length, 0, chunk.length) === 0;

/** A staged upload in its own file. */
export class DiskStagedFile implements StagedFile {
  readonly path: string;
  readonly size: number;

  constructor(path: string, size: number) {
    this.path = path;
    this.size = size;
  }

  open(): Promise<OpenBytes> {
    return openFile(this.path);
  }

  async discard(): Promise<void> {
    await rm(this.path, { force: true });
  }
}

/** Opens a file for random reads. */
export async function openFile(path: string): Promise<OpenBytes> {
  const handle = await open(path, 'r');
  const { size } = await handle.stat();
  return {
    size,
    async readAt(position, length) {
      const buffer = Buffer.alloc(Math.max(0, Math.min(length, size - position)));
      let done = 0;
      while (done < buffer.length) {
        const { bytesRead } = await handle.read(buffer, done, buffer.length - done, position + done);
        if (bytesRead === 0) break;
        done += bytesRead;
      }
      return buffer.subarray(0, done);
    },
    close: () => handle.close(),
  };
}

async function writeAt(handle: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < chunk.length; )
    done += (await handle.write(chunk, done, chunk.length - done, position + done)).bytesWritten;
}

/** Writes `chunks` to a new file in `folder` and flushes it; keeps the disk's reserve free. Refuses `storage_full`. */
export async function stageOnDisk(
  folder: string,
  space: () => Promise<Space | null>,
  chunks: AsyncIterable<Uint8Array>,
): Promise<DiskStagedFile> {
  const path = join(folder, randomUUID());
  let size = 0;
  try {
    await mapDiskFull(async () => {
      assertSpace(await space());
      let next_check = check_every_bytes;
      const handle = await open(path, 'wx');
      try {
        for await (const chunk of chunks) {
          if (!isHole(chunk)) await writeAt(handle, chunk, size);
          size += chunk.length;
          if (size < next_check) continue;
          next_check = size + check_every_bytes;
          assertSpace(await space());
        }
        await handle.truncate(size); // a hole at the end
        await handle.sync();
      } finally {
        await handle.close();
      }
    });
    return new DiskStagedFile(path, size);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/**
 * Appends `chunks` to the file at `path`, which it creates, and flushes it, also when they break off; keeps the disk's reserve
 * free. Gives the new size. Refuses `storage_full`; throws `PartialMoved` when the file does not end at `position`.
 */
export async function appendOnDisk(
  path: string,
  position: number,
  space: () => Promise<Space | null>,
  chunks: AsyncIterable<Uint8Array>,
): Promise<number> {
  return await mapDiskFull(async () => {
    const handle = await open(path, constants.O_WRONLY | constants.O_CREAT);
    try {
      if ((await handle.stat()).size !== position) throw new PartialMoved(path);
      assertSpace(await space());
      let at = position;
      let next_check = position + check_every_bytes;
      for await (const chunk of chunks) {
        await writeAt(handle, chunk, at);
        at += chunk.length;
        if (at < next_check) continue;
        next_check = at + check_every_bytes;
        assertSpace(await space());
      }
      return at;
    } finally {
      await handle.sync();
      await handle.close();
    }
  });
}

/** Removes files of `folder` last written before `before`, and gives their number. */
export async function removeOlder(folder: string, before: Date, dry_run: boolean): Promise<number> {
  let removed = 0;
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name);
    const found = await stat(path).catch(() => null); // removed meanwhile
    if (!found || found.mtime >= before) continue;
    if (!dry_run) await rm(path, { recursive: true, force: true });
    removed++;
  }
  return removed;
}
