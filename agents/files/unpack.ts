import type { z } from 'zod';
import type { OperationInput, OperationOutput } from '#control/protocol/agent.ts';
import { type fileQueries, max_named_conflicts, max_unclear_names } from '#control/protocol/files.ts';
import type { Access } from './access.ts';
import { type ArchiveEntry, entriesOf } from './archive-entries.ts';
import { ArchiveCount, archiveLimits } from './archive-limits.ts';
import { Cursor } from './cursor.ts';
import { about, FileError, invalidPath, namesOf, shown, systemCode } from './file-error.ts';
import { type Folder, unless } from './folder.ts';
import { place } from './place.ts';
import type { OnProgress } from './progress.ts';

type Plan = (typeof fileQueries)['unpack_plan'];

/** Unpacked bytes are reserved so many at a time. */
const step_bytes = 8 * 1024 * 1024;

interface Entry {
  names: string[];
  entry: ArchiveEntry;
}

/** The entries of an archive, checked one by one. */
async function* checkedEntries(
  { tree }: Access,
  { path, into }: { path: string; into: string },
  limits: typeof archiveLimits,
  onProgress: OnProgress = () => {},
): AsyncGenerator<Entry & { count: ArchiveCount }> {
  const names = namesOf(path);
  const name = names.pop();
  if (name === undefined) throw new FileError('file_is_directory', { path: '/' });
  const handle = await about(path, () => tree.in(names, (folder) => folder.file(name)));
  try {
    const { size: bytes } = await handle.stat();
    const count = new ArchiveCount(path, bytes, limits);
    let read = 0;
    const onRead = (more: number): void => {
      read += more;
      onProgress(Math.min(read, bytes), bytes);
    };
    const source = { handle, path, name, onRead, onCount: (entries: number) => count.announced(entries) };
    for await (const entry of entriesOf(source)) {
      const inside = count.names(entry);
      // the same rule as for everything new, the reserved folder included
      if (inside.length > 0) namesOf([...namesOf(into), ...inside].join('/'), 'fresh');
      if (inside.length > 0) yield { names: inside, entry, count };
    }
  } finally {
    await handle.close();
  }
}

/** What unpacking would do; nothing is written. Refuses as `unpackArchive`. */
export async function unpackPlan(
  access: Access,
  asked: z.output<Plan['input']>,
  limits = archiveLimits,
): Promise<z.output<Plan['output']>> {
  const free = await access.free();
  const seen = new Set<string>();
  const conflicts: string[] = [];
  const unclear_names: string[] = [];
  let [bytes, more_conflicts, unclear] = [0, 0, 0];
  const target = await openTarget(access, asked.into);
  const cursor = target && new Cursor(access.tree, target);
  try {
    for await (const { names, entry, count } of checkedEntries(access, asked, limits)) {
      if (entry.type !== 'file') continue;
      const size = entry.bytes ?? (await sizeOf(entry, count));
      if (entry.bytes !== null) count.bytes(size);
      bytes += size;
      if (bytes > free) throw new FileError('disk_full');
      const path = names.join('/');
      if (seen.has(path)) continue;
      seen.add(path);
      if (entry.unclear && ++unclear <= max_unclear_names) unclear_names.push(path);
      if (!cursor || !(await exists(cursor, names))) continue;
      if (conflicts.length < max_named_conflicts) conflicts.push([...namesOf(asked.into), path].join('/'));
      else more_conflicts++;
    }
  } finally {
    await cursor?.close();
    await target?.close();
  }
  return { files: seen.size, bytes, conflicts, more_conflicts, unclear, unclear_names };
}

/** The folder that is unpacked into, open; null when there is none yet. */
async function openTarget({ tree }: Access, into: string): Promise<Folder | null> {
  const missing = unless('file_not_found');
  return await about(into, () => tree.in(namesOf(into), (folder) => folder.folder('.'))).catch(missing);
}

async function sizeOf(entry: ArchiveEntry, count: ArchiveCount): Promise<number> {
  let bytes = 0;
  for await (const chunk of entry.content()) {
    count.bytes(chunk.length);
    bytes += chunk.length;
  }
  return bytes;
}

async function exists(cursor: Cursor, names: string[]): Promise<boolean> {
  const folder = await cursor.to(names.slice(0, -1)).catch((error) => {
    // a file where the archive has a folder
    if (systemCode(error) === 'ENOTDIR') return 'taken' as const;
    throw error;
  });
  return folder === 'taken' || (folder !== null && (await folder.find(names.at(-1)!)) !== null);
}

/** What is unpacked: its names by path, each with the file that holds its content until all of them are there. */
type Staged = Map<string, { names: string[]; file: string | null; bytes: number }>;

/**
 * Unpacks an archive beside everything else first: what is there already is only touched after all of it was read. Only
 * files and folders are made; links and devices count as skipped. Refuses `server_archive_unreadable`,
 * `archive_too_large`, `file_path_invalid`, `disk_full`, `file_is_directory`, `file_not_directory`, and
 * `operation_canceled` until the first file is moved to its place.
 */
export async function unpackArchive(
  access: Access,
  asked: OperationInput<'file_unpack'>,
  onProgress: OnProgress,
  limits = archiveLimits,
): Promise<OperationOutput<'file_unpack'>> {
  const { tree } = access;
  return await tree.scratch(async (scratch) => {
    const staged: Staged = new Map();
    const others = await stage(access, asked, { scratch, staged, onProgress, limits });
    return await about(asked.into, () =>
      tree.inMade(intoNames(asked.into), async (top) => {
        const cursor = new Cursor(tree, top);
        try {
          await assertFits(cursor, staged, asked);
          access.signal.throwIfAborted();
          return await settle(access, asked, { scratch, staged, cursor, others });
        } finally {
          await cursor.close();
        }
      }),
    );
  });
}

const intoNames = (into: string): string[] => (namesOf(into).length === 0 ? [] : namesOf(into, 'fresh'));

/** Writes the content of all files into `scratch`. Gives how many entries are no files or folders. */
async function stage(
  access: Access,
  asked: OperationInput<'file_unpack'>,
  to: { scratch: Folder; staged: Staged; onProgress: OnProgress; limits: typeof archiveLimits },
): Promise<number> {
  const { scratch, staged } = to;
  const reserved = await access.reserve(0);
  let others = 0;
  try {
    for await (const { names, entry, count } of checkedEntries(access, asked, to.limits, to.onProgress)) {
      access.signal.throwIfAborted();
      if (entry.type === 'other') others++;
      const path = names.join('/');
      if (entry.type === 'directory' && !staged.has(path)) staged.set(path, { names, file: null, bytes: 0 });
      if (entry.type !== 'file') continue;
      // two names whose bytes are lost would be one file
      if (staged.has(path) && path.includes('\ufffd')) throw invalidPath(path, 'text');
      // a second entry of a name comes after the first: it is the newer one
      const file = staged.get(path)?.file ?? String(staged.size);
      const mode = entry.mode & 0o111 ? 0o755 : 0o644;
      const target = await scratch.overwritten(file, mode);
      let bytes = 0;
      try {
        for await (const chunk of entry.content()) {
          access.signal.throwIfAborted();
          count.bytes(chunk.length);
          if (reserved.left() < chunk.length)
            await reserved.grow(Math.max(chunk.length, step_bytes)).catch(() => reserved.grow(chunk.length));
          await target.writeFile(chunk);
          reserved.written(chunk.length);
          bytes += chunk.length;
        }
      } finally {
        await target.close();
      }
      await scratch.give(file, access.tree.uid);
      staged.set(path, { names, file, bytes });
    }
  } finally {
    reserved.release();
  }
  return others;
}

/** Nothing is a folder here and a file there: found out before the first change. */
async function assertFits(
  cursor: Cursor,
  staged: Staged,
  { into, on_conflict }: OperationInput<'file_unpack'>,
): Promise<void> {
  for (const [path, { names, file }] of staged) {
    const full = [...namesOf(into), path].join('/');
    // in the archive itself
    for (let depth = 1; depth < names.length; depth++)
      if (staged.get(names.slice(0, depth).join('/'))?.file)
        throw new FileError('server_archive_unreadable', { path: shown(full) });
    const folder = await about(full, () => cursor.to(names.slice(0, -1)));
    const there = await folder?.find(names.at(-1)!);
    if (!there) continue;
    if (file === null && there.type !== 'directory')
      throw new FileError('file_not_directory', { path: shown(full) });
    if (file !== null && there.type === 'directory' && on_conflict === 'replace')
      throw new FileError('file_is_directory', { path: shown(full) });
  }
}

/** Moves everything to its place. */
async function settle(
  access: Access,
  { into, on_conflict }: OperationInput<'file_unpack'>,
  from: { scratch: Folder; staged: Staged; cursor: Cursor; others: number },
): Promise<OperationOutput<'file_unpack'>> {
  let [files, bytes, skipped] = [0, 0, from.others];
  for (const [path, one] of from.staged) {
    if (one.file === null) {
      await from.cursor.to(one.names, 'make');
      continue;
    }
    const folder = await from.cursor.to(one.names.slice(0, -1), 'make');
    const target = { folder: folder!, name: one.names.at(-1)!, path: [...namesOf(into), path].join('/') };
    const source = { folder: from.scratch, name: one.file, directory: false };
    const name = await access.exclusively(() => place(access, source, target, on_conflict));
    if (name === null) skipped++;
    else [files, bytes] = [files + 1, bytes + one.bytes];
  }
  return { files, skipped, bytes };
}
