import { createReadStream, createWriteStream } from 'node:fs';
import { constants, copyFile, lstat, mkdir } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { OperationInput, OperationOutput } from '#control/protocol/agent.ts';
import type { Access } from './access.ts';
import { FileError, invalidPath, shown } from './file-error.ts';
import { type Folder, unless, within } from './folder.ts';
import { assertNotInside, isSame, placeAt } from './move.ts';
import type { OnProgress } from './progress.ts';
import type { Reservation } from './quota.ts';
import { type Walk, walk } from './walk.ts';

/** What a file or folder takes on the disk beside its bytes. */
const entry_bytes = 4_096;
/** Larger files are copied in pieces where they cannot be cloned. */
const large_bytes = 16 * 1024 * 1024;

interface Copying {
  access: Access;
  reserved: Reservation;
  total: number;
  done: number;
  onProgress: OnProgress;
}

/**
 * Copies files and folders: each is complete before it appears at its place. The bytes of all of them are reserved before
 * the first is written. Links and devices in folders are left out. Canceled (`operation_canceled`), those that are complete
 * stay, and nothing of the others.
 */
export async function copyFiles(
  access: Access,
  { copies, on_conflict }: OperationInput<'file_copy'>,
  onProgress: OnProgress,
): Promise<OperationOutput<'file_copy'>> {
  let total = 0;
  for (const { from, to } of copies) {
    assertNotInside(from, to);
    total += await bytesOf(access, from);
  }
  const reserved = await access.reserve(total);
  const copying: Copying = { access, reserved, total, done: 0, onProgress };
  const paths: (string | null)[] = [];
  try {
    // a copy beside itself has to have another name
    for (const { from, to } of copies)
      paths.push(await copyOne(copying, from, to, isSame(from, to) ? 'rename' : on_conflict));
  } finally {
    reserved.release();
  }
  return { paths };
}

/** Bytes that a copy takes. Refuses `file_not_regular` for links and devices. */
async function bytesOf({ tree, signal }: Access, path: string): Promise<number> {
  return await tree.at(path, async (parent, name) => {
    const found = await lstat(parent.at(name));
    if (!found.isFile() && !found.isDirectory())
      throw new FileError('file_not_regular', { path: shown(path) });
    if (found.isFile()) return found.size + entry_bytes;
    const state: Walk = { too_deep: false };
    let bytes = entry_bytes;
    await within(parent.folder(name), async (folder) => {
      for await (const one of walk(tree, folder, state)) {
        signal.throwIfAborted();
        const size =
          one.type === 'file' ? await lstat(one.folder.at(one.name)).catch(unless('ENOENT')) : null;
        bytes += entry_bytes + (size?.size ?? 0);
      }
    });
    if (state.too_deep) throw invalidPath(path, 'path_long');
    return bytes;
  });
}

async function copyOne(
  copying: Copying,
  from: string,
  to: string,
  on_conflict: OperationInput<'file_copy'>['on_conflict'],
): Promise<string | null> {
  const { access } = copying;
  return await access.tree.scratch(async (scratch) => {
    const directory = await access.tree.at(from, async (parent, name) => {
      const folder = await parent.folder(name).catch(unless('ENOTDIR'));
      if (!folder) await copyInto(copying, parent, name, scratch, 'copy');
      else await within(Promise.resolve(folder), (one) => copyFolder(copying, one, scratch, 'copy'));
      return folder !== null;
    });
    access.signal.throwIfAborted();
    return await placeAt(access, { folder: scratch, name: 'copy', directory }, to, on_conflict);
  });
}

async function copyFolder(copying: Copying, from: Folder, into: Folder, name: string): Promise<void> {
  const { tree } = copying.access;
  const { mode } = await from.handle.stat();
  await mkdir(into.at(name), { mode: 0o700 });
  // folders of the copy that are open, from its top on
  const open: { path: string; folder: Folder }[] = [{ path: '', folder: await into.folder(name) }];
  try {
    for await (const one of walk(tree, from)) {
      const above = one.path.slice(0, -one.name.length);
      while (open.at(-1)!.path !== above) await open.pop()!.folder.close();
      const target = open.at(-1)!.folder;
      if (one.type === 'file') await copyInto(copying, one.folder, one.name, target, one.name);
      if (one.type !== 'directory') continue;
      await target.newFolder(one.name, tree.uid);
      open.push({ path: `${one.path}/`, folder: await target.folder(one.name) });
      spent(copying, entry_bytes);
    }
  } finally {
    for (const { folder } of open) await folder.close();
  }
  await into.give(name, tree.uid, mode);
  spent(copying, entry_bytes);
}

/** Copies one regular file; none where there is no file any more. */
async function copyInto(
  copying: Copying,
  from: Folder,
  name: string,
  into: Folder,
  as: string,
): Promise<void> {
  copying.access.signal.throwIfAborted();
  const handle = await from.file(name);
  try {
    const { mode, size } = await handle.stat();
    // by its descriptor: this very file, whatever has its name now
    const source = `/proc/self/fd/${handle.fd}`;
    if (size <= large_bytes)
      await copyFile(source, into.at(as), constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    else await copyLarge(copying, source, { into, as, size });
    await into.give(as, copying.access.tree.uid, mode);
    spent(copying, (size <= large_bytes ? size : 0) + entry_bytes);
  } finally {
    await handle.close();
  }
}

/** Copies a file that takes long when its disk cannot clone: in pieces, so that it can be canceled and says how far it is. */
async function copyLarge(
  copying: Copying,
  source: string,
  { into, as, size }: { into: Folder; as: string; size: number },
): Promise<void> {
  const clone = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE;
  const is_cloned = await copyFile(source, into.at(as), clone).then(
    () => true,
    () => false,
  );
  if (is_cloned) return spent(copying, size);
  await pipeline(
    createReadStream(source, { highWaterMark: 1024 * 1024, end: size - 1 }),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        yield chunk;
        spent(copying, chunk.length);
      }
    },
    createWriteStream(into.at(as), { flags: 'wx', mode: 0o600 }),
    { signal: copying.access.signal },
  ).catch((error) => {
    copying.access.signal.throwIfAborted();
    throw error;
  });
}

function spent(copying: Copying, bytes: number): void {
  copying.reserved.written(bytes);
  copying.done += bytes;
  copying.onProgress(Math.min(copying.done, copying.total), copying.total);
}
