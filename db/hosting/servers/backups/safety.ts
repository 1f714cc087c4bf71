import { randomUUID } from 'node:crypto';
import type { Task } from '../tasks/rows.ts';
import { fails, type Next, type Work } from '../tasks/steps.ts';
import { addBackup, type BackupSettings } from './begin.ts';
import { backupRow } from './read.ts';

/** The backup of the state before, which tasks make before they change files. */

/** Begins it, beside the task. Its place was made before, unless `spared` is the only one that may stay. */
export async function beginSafetyBackup(
  { db, task, server, now }: Work<Task>,
  { before, spared = null }: { before: string; spared?: string | null },
  settings: BackupSettings,
): Promise<{ safety_backup_id: string }> {
  const made = { op_id: randomUUID(), reason: 'safety', actor_id: task.actor_id, before } as const;
  return {
    safety_backup_id: await addBackup(db, server!, made, settings, now, { beside: true, spared }),
  };
}

/** What has become of it. */
export async function safetyEnd({
  db,
  task: { server_id, safety_backup_id },
}: Work<Task>): Promise<'made' | 'cancelled' | Extract<Next<Task>, 'waits' | { fails: unknown }>> {
  if (!safety_backup_id) return fails('backup_not_found');
  const { state, error } = await backupRow(db, server_id, safety_backup_id);
  if (state === 'queued' || state === 'creating') return 'waits';
  if (state === 'failed') return error ? { fails: error } : fails('operation_failed');
  return state === 'cancelled' ? 'cancelled' : 'made';
}
