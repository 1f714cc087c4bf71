import { assertAllowed } from '../../../platform/errors.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { cancelOperation } from '../operations/operations.ts';
import { advanceTask } from '../tasks/steps.ts';
import { type BackupSettings, begin_timeout_ms } from './begin.ts';
import { restores, restoresOf } from './restore-steps.ts';
import { isInProgress, whyNotCancelBackup } from './rules.ts';
import { settleOperations } from './settle.ts';
import { lockBackup } from './write.ts';

/**
 * Ends what is in progress on a backup: at once when its agent has not begun, otherwise when the agent has removed what it
 * made. When nothing is in progress nothing happens. Refuses as `whyNotHave.backups`, `backup_not_found` and
 * `backup_not_cancellable`.
 */
export async function cancelBackup(
  db: Db,
  actor: Actor,
  target: { server_id: string; backup_id: string },
  settings: BackupSettings,
  now: Date,
): Promise<void> {
  const { server, backup } = await lockBackup(db, actor, target, now);
  assertAllowed(whyNotCancelBackup(backup));
  if (!isInProgress(backup.state)) return;
  await db`update server_backups set cancelling = true where id = ${backup.id}`;
  if (backup.op_id) await end(db, backup.op_id, actor, now);
  await settleOperations(db, { server_id: target.server_id, node_id: server.node_id }, now);
  const restore = (await restoresOf(db, target.server_id)).find((one) => one.backup_id === backup.id);
  if (!restore) return;
  if (restore.step === 'safety') await cancelSafety(db, restore.safety_backup_id, actor, now);
  // the row of another server is not locked here: the change of this one lets it go on
  if (restore.server_id === target.server_id) await advanceTask(restores, restore, { db, settings, now });
}

/** Has what works on a backup end. */
const end = (db: Db, op_id: string, { user_id: actor_id }: Actor, now: Date): Promise<void> => {
  const not_after = new Date(now.getTime() + begin_timeout_ms);
  return cancelOperation(db, { op_id, by: 'backup_cancel', error: 'cancelled', actor_id, not_after }, now);
};

/** Ends a backup that is made before something else, if it goes on. */
export async function cancelSafety(db: Db, id: string | null, actor: Actor, now: Date): Promise<void> {
  const [safety] = await db<{ op_id: string | null }[]>`
    update server_backups set cancelling = true where id = ${id} and op_id is not null returning op_id`;
  if (safety?.op_id) await end(db, safety.op_id, actor, now);
}
