import { recordEvent } from '../../../platform/events/write.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { agentEnd, sendToAgent } from '../tasks/agent-work.ts';
import { type EndStep, type Task, task_columns } from '../tasks/rows.ts';
import { beginTask, type Next, type StepwiseKind, type Work } from '../tasks/steps.ts';
import { stopping } from '../tasks/stopping.ts';
import { type BackupSettings, begin_timeout_ms } from './begin.ts';
import { backupById } from './read.ts';
import { beginSafetyBackup, safetyEnd } from './safety.ts';

/** A restore: the files of its server are replaced by those of a backup, which may be that of another server. */
export interface Restore
  extends Task<'restore', 'stopping' | 'safety' | 'restoring' | EndStep, { safety: boolean }> {
  backup_id: string;
}

/** Restores of backups of a server that are in progress, to it or to others. */
export const restoresOf = (db: Db, server_id: string): Promise<Restore[]> => db<Restore[]>`
  select ${db(task_columns)} from server_tasks
  where ended is null and kind = 'restore'
    and backup_id in (select id from server_backups where server_id = ${server_id})`;

/**
 * Begins to replace the files of a server by those of a backup, whose row is free. The rows of both servers are locked. See
 * `advanceTask`.
 */
export async function beginRestore(
  db: Db,
  task: Pick<Restore, 'id' | 'server_id' | 'actor_id' | 'backup_id' | 'data'>,
  settings: BackupSettings,
  now: Date,
): Promise<void> {
  await db`
    update server_backups set state = 'restoring', rest = state, error = null, op_id = null, cancelling = false
    where id = ${task.backup_id}`;
  await beginTask(restores, { ...task, kind: 'restore', step: 'stopping' }, { db, settings, now });
}

const isCancelled = async ({ db, task }: Work<Restore>): Promise<boolean> =>
  (await backupById(db, task.backup_id)).cancelling;

/**
 * The server stops, a safety backup is made, the files are replaced, the server starts again if it ran. The caller has locked
 * the row of the server of the backup too. Source: hosting §5.6.
 */
export const restores: StepwiseKind<Restore> = {
  kind: 'restore',
  steps: {
    stopping: stopping({ isCancelled, next: ({ data }) => (data.safety ? 'safety' : 'restoring') }),
    safety: {
      begin: (work) => {
        const of = { before: 'restore', spared: work.task.backup_id };
        return beginSafetyBackup(work, of, work.settings);
      },
      async check(work) {
        const end = await safetyEnd(work);
        if (end === 'waits') return end;
        if (end === 'cancelled' || (await isCancelled(work))) return { ends: 'cancelled' };
        return end === 'made' ? { step: 'restoring' } : end;
      },
    },
    restoring: { begin: replaceFiles, check: untilReplaced },
  },
  onEnd,
};

async function replaceFiles(work: Work<Restore>): Promise<undefined> {
  const { db, task } = work;
  const { id, server_id: source_id, engine, target, sha256 } = await backupById(db, task.backup_id);
  await db`update server_backups set op_id = ${task.id}, last_op_id = ${task.id} where id = ${id}`;
  const from = source_id === task.server_id ? {} : { source_id };
  const args = { backup_id: id, engine, target, sha256, ...from };
  await sendToAgent(work, { id: task.id, kind: 'backup_restore', args }, begin_timeout_ms);
}

async function untilReplaced(work: Work<Restore>): Promise<Next<Restore>> {
  const end = await agentEnd(work.db, work.task.id);
  if (!end) return 'waits';
  if (end.isDone) return { ends: 'done' };
  if (end.isCancelled || (await isCancelled(work))) return { ends: 'cancelled' };
  return { fails: end.error };
}

/** The backup is free again, whatever came of it. */
async function onEnd(
  { db, task, server }: Work<Restore>,
  { step, error }: Parameters<StepwiseKind<Restore>['onEnd']>[1],
): Promise<void> {
  const { actor_id, server_id, backup_id } = task;
  const damaged = error?.code === 'backup_damaged';
  await db`
    update server_backups set state = ${damaged ? 'damaged' : db`rest`}, rest = ${damaged ? 'damaged' : db`rest`},
      error = ${error && db.json(error as never)}, op_id = null, cancelling = false
    where id = ${backup_id} and state = 'restoring'`;
  if (!server) return;
  const by = { actor_id, server_id };
  if (step === 'done') await recordEvent(db, { name: 'server.backup_restored', ...by, data: { backup_id } });
  else {
    const data = { backup_id, error: error?.code ?? 'cancelled' };
    await recordEvent(db, { name: 'server.backup_restore_failed', ...by, data });
  }
}
