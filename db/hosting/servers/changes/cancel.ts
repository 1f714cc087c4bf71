import { randomUUID } from 'node:crypto';
import { assertAllowed, Refused } from '../../../platform/errors.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { type BackupSettings, begin_timeout_ms } from '../backups/begin.ts';
import { cancelSafety } from '../backups/cancel.ts';
import { settleOperations } from '../backups/settle.ts';
import type { ChangeView } from '../content/view.ts';
import { lockChangeableServer } from '../locked.ts';
import { createOperation } from '../operations/operations.ts';
import { scopeFor, whyNotSee } from '../rules.ts';
import { advanceTask } from '../tasks/steps.ts';
import { updateTask } from '../tasks/write.ts';
import { viewOf } from './request.ts';
import { type Change, changeById } from './rows.ts';
import { isOpenStep, whyNotCancelChange, whyNotMake } from './rules.ts';
import { changes } from './steps.ts';

/**
 * Ends a change that has not begun to change files, at once or when its backup has ended; a server that ran is started again.
 * When it is over nothing happens. Refuses as `whyNotMake`, `change_not_found` and `change_not_cancellable`.
 */
export async function cancelChange(
  db: Db,
  actor: Actor,
  { server_id, change_id }: { server_id: string; change_id: string },
  settings: BackupSettings,
  now: Date,
): Promise<ChangeView> {
  const { node_id, facts } = await lockChangeableServer(db, actor, server_id, now, whyNotSee);
  const change = await changeById(db, change_id);
  if (change?.server_id !== server_id) throw new Refused('change_not_found');
  const { step, data } = change;
  const { kind, wanted, erase_op_id } = data;
  assertAllowed(whyNotMake({ ...wanted, kind })(actor, facts), { scope: scopeFor.change });
  const fetches = wanted.content !== null && kind !== 'undo' && erase_op_id === null;
  assertAllowed(whyNotCancelChange({ step, fetches }));
  if (!isOpenStep(step)) return await viewOf(db, server_id, change_id);
  const cancelled = await updateTask<Change>(db, change, { cancelling: true });
  if (step === 'safety') {
    await cancelSafety(db, change.safety_backup_id, actor, now);
    await settleOperations(db, { server_id, node_id }, now);
  }
  if (step === 'applying') {
    // it fails with `change_canceled`, or goes on when files are exchanged by now
    const not_after = new Date(now.getTime() + begin_timeout_ms);
    const cancel = { id: randomUUID(), server_id, node_id, actor_id: actor.user_id, kind: 'content_cancel' };
    await createOperation(db, { ...cancel, args: { op_id: change_id }, not_after }, now);
  }
  await advanceTask(changes, cancelled, { db, settings, now });
  return await viewOf(db, server_id, change_id);
}
