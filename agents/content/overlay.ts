import type { OperationInput } from '#control/protocol/agent.ts';
import type { Access } from '../files/access.ts';
import { entriesOf } from '../files/archive-entries.ts';
import { ArchiveCount, archiveLimits } from '../files/archive-limits.ts';
import { FileError, namesOf } from '../files/file-error.ts';
import type { Folder } from '../files/folder.ts';
import type { Reservation } from '../files/quota.ts';
import type { Staged } from './plan.ts';

/** A modpack has far fewer entries; each of its files is exchanged by a rename of its own. */
export const overlayLimits = { ...archiveLimits, entries: 20_000 };
const step_bytes = 8 * 1024 * 1024;

interface Unpacking {
  access: Access;
  folder: Folder;
  reserved: Reservation;
  signal: AbortSignal;
  limits: typeof overlayLimits;
}

/**
 * Unpacks some folders of the archive in `slot` into slots of their own, one for each path: later folders and entries win.
 * Empty folders are left out. Refuses `server_archive_unreadable` (a link or device in them too), `archive_too_large`,
 * `file_path_invalid`, `disk_full`.
 */
export async function unpackOverlay(
  unpacking: Unpacking,
  slot: string,
  folders: NonNullable<OperationInput<'content_apply'>['archive']>['folders'],
): Promise<Staged[]> {
  const { access, folder, reserved, signal, limits } = unpacking;
  const staged = new Map<string, string>();
  const handle = await folder.file(slot);
  const path = 'modpack';
  try {
    const { size } = await handle.stat();
    const count = new ArchiveCount(path, size, limits);
    for (const wanted of folders) {
      const announced = (entries: number) => count.announced(entries);
      const source = { handle, path, name: path, onRead: () => {}, onCount: announced };
      const top = namesOf(wanted);
      for await (const entry of entriesOf(source)) {
        if (signal.aborted) throw new FileError('change_canceled');
        const names = namesBelow(top, entry.path);
        if (names === null) continue;
        const inside = count.names({ ...entry, path: names });
        if (inside.length === 0 || entry.type === 'directory') continue;
        if (entry.type === 'other') throw new FileError('server_archive_unreadable', { path });
        const to = namesOf(inside.join('/'), 'fresh').join('/');
        const file = `new-${1_000_000 + staged.size}`;
        const name = staged.get(to) ?? file;
        await write({ access, folder, reserved, count }, name, entry);
        staged.set(to, name);
      }
    }
  } finally {
    await handle.close();
  }
  return [...staged].map(([to, name]) => ({ path: to, slot: name }));
}

/** What is below `top` in an archive; null for everything else. */
function namesBelow(top: readonly string[], path: string): string | null {
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  return top.every((name, index) => names[index] === name) ? names.slice(top.length).join('/') : null;
}

async function write(
  {
    access,
    folder,
    reserved,
    count,
  }: Pick<Unpacking, 'access' | 'folder' | 'reserved'> & { count: ArchiveCount },
  name: string,
  entry: { mode: number; content(): AsyncIterable<Buffer> },
): Promise<void> {
  const handle = await folder.overwritten(name);
  try {
    for await (const chunk of entry.content()) {
      count.bytes(chunk.length);
      if (reserved.left() < chunk.length)
        await reserved.grow(Math.max(chunk.length, step_bytes)).catch(() => reserved.grow(chunk.length));
      await handle.writeFile(chunk);
      reserved.written(chunk.length);
    }
  } finally {
    await handle.close();
  }
  await folder.give(name, access.tree.uid, entry.mode & 0o111 ? 0o755 : 0o644);
}
