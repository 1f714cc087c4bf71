import { mkdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { uidFor } from '../disk/folders.ts';
import type { BackupEngine, BackupJob, Verified } from './backup-engine.ts';
import type { Backups } from './backups.ts';
import { BackupError } from './error.ts';

/** Free space that stays free on the disk of the node. */
const spare_bytes = 1024 * 1024 * 1024;

/**
 * Unpacks a backup into an empty folder outside of every server, compares each file with the sums of the backup and removes
 * the folder. Where the node has no space for that, the sums are compared while it is read.
 */
export async function verifyBackup(
  backups: Backups,
  engine: BackupEngine,
  job: BackupJob,
  sha256: string | null,
): Promise<Verified> {
  try {
    return await compare(backups, engine, job, sha256);
  } catch (error) {
    if (!(error instanceof BackupError) || error.code !== 'backup_damaged') throw error;
    // where it breaks off, nothing is known of single files
    return { files: 0, content_bytes: 0, damaged: [job.backup_id] };
  }
}

async function compare(
  backups: Backups,
  engine: BackupEngine,
  job: BackupJob,
  sha256: string | null,
): Promise<Verified> {
  const folder = join(backups.verifying, job.backup_id);
  const { bavail, bsize } = await statfs(backups.work);
  const need = (await engine.describe(job))?.content_bytes ?? Number.POSITIVE_INFINITY;
  const limit = bavail * bsize - spare_bytes;
  if (need > limit) return await engine.verify(job, null, sha256);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    return await engine.verify(job, { folder, uid: uidFor(0), limit, inside: '/data' }, sha256);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
