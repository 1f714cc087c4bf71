import { statfs } from 'node:fs/promises';
import { usedMb } from '../disk/folders.ts';
import type { JournalStore } from '../state/journal.ts';
import type { BackupEngine, BackupJob, Unpacked } from './backup-engine.ts';
import { BackupError } from './error.ts';
import { clear, Swap, syncFiles } from './swap.ts';
import type { UndoArchive } from './undo.ts';

const mib = 1024 * 1024;
/** Of a file system some is not for content: what a backup needs at least, as a factor. */
const overhead = 1.03;

export interface RestoreOptions {
  engine: BackupEngine;
  /** Of the server whose files are replaced. */
  job: BackupJob;
  /** The server that it is a backup of; another one, when its backup is restored to this one. */
  source_id?: string | undefined;
  sha256: string | null;
  journal: JournalStore;
  undo: UndoArchive;
  /** The files of the server, mounted; nothing else writes there. */
  folder: string;
  /** Megabytes that the files of the server may have. */
  disk_mb: number;
  uid: number;
  inside: string;
}

/**
 * Replaces all files of a server that does not run. New files are unpacked beside the old ones and take their names when
 * all of them are right. Where both do not fit on its disk, the old ones wait in an archive outside of it meanwhile.
 * Whatever fails, the old files are back, unless `swap.recover` has to be repeated: the journal then has an entry. Refuses
 * `disk_full` before anything is changed when the backup does not fit at all.
 */
export async function restoreFiles(options: RestoreOptions): Promise<Unpacked> {
  const {
    engine,
    job,
    source_id = job.server_id,
    sha256,
    journal,
    undo,
    folder,
    disk_mb,
    uid,
    inside,
  } = options;
  const backup = { ...job, server_id: source_id };
  const known = await engine.describe(backup);
  const need = (known?.content_bytes ?? 0) * overhead;
  const limit = disk_mb * mib;
  if (need > limit) throw new BackupError('disk_full');
  const { bavail, bsize } = await statfs(folder);
  const swap = new Swap(folder, journal, job.server_id);
  const into = { uid, limit, inside };
  const undoInto = { folder, ...into, limit: Number.MAX_SAFE_INTEGER };
  try {
    const fits = need <= bavail * bsize;
    if (fits) {
      const unpacked = await engine.restore(backup, { ...into, folder: await swap.prepare() }, sha256);
      await swap.commit();
      return unpacked;
    }
    const { archive } = await undo.make(job, folder, (await usedMb([folder]))[0] ?? 0);
    swap.replaceAll(archive);
    await clear(folder);
    const unpacked = await engine.restore(backup, { ...into, folder }, sha256);
    await syncFiles(folder);
    journal.save(job.server_id, 'restoring', { phase: 'cleaning', undo: archive });
    await swap.recover();
    return unpacked;
  } catch (error) {
    await swap.recover((archive) => undo.unpack(archive, undoInto));
    throw error;
  }
}
