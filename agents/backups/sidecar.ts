import { z } from 'zod';
import { backupFacts } from '#control/protocol/backups.ts';
import type { BackupJob, Sidecar } from './backup-engine.ts';
import { BackupError } from './error.ts';
import type { BackupTarget } from './targets/target.ts';

export const sidecarName = (backup_id: string): string => `${backup_id}.json`;
const max_bytes = 1024 * 1024;

const shape = backupFacts.extend({
  backup_id: z.string(),
  server_id: z.string(),
  engine: z.string(),
  game_version: z.string(),
  loader: z.string().nullable(),
});

/** What is stored beside a backup; null when it is lost or not readable. */
export async function readSidecar(target: BackupTarget, job: BackupJob): Promise<Sidecar | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of target.get(job.server_id, sidecarName(job.backup_id), job.signal)) {
      bytes += chunk.length;
      if (bytes > max_bytes) return null;
      parts.push(chunk);
    }
    return shape.parse(JSON.parse(Buffer.concat(parts).toString('utf8')));
  } catch (error) {
    if (error instanceof BackupError && error.code !== 'backup_not_found') throw error;
    return null;
  }
}
