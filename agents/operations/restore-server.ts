import type { OperationInput } from '#control/protocol/agent.ts';
import type { BackupEngine, BackupJob, Unpacked } from '../backups/backup-engine.ts';
import { BackupError } from '../backups/error.ts';
import { restoreFiles } from '../backups/restore.ts';
import { uidFor } from '../disk/folders.ts';
import { forgetChanges } from '../files/content-changes.ts';
import { filesOf } from '../files/server-files.ts';
import type { ServerController } from '../server/controller.ts';

/**
 * Replaces the files of a server by those of a backup. It does not start meanwhile: the journal says that it is being
 * restored, which its plan reads. Refuses `server_still_running`.
 */
export async function restoreServer(
  controller: ServerController,
  engine: BackupEngine,
  job: BackupJob,
  { sha256, source_id }: OperationInput<'backup_restore'>,
): Promise<Unpacked> {
  const { context, id, stored } = controller;
  const { journal } = context.store;
  if (!stored?.spec) throw new BackupError('backup_target_failed', 'this server is not known here');
  const { disk_mb } = stored.spec;
  const inside = context.kindOf(stored.spec)?.data_dir ?? '/data';
  // held first: a start that was planned before is over once the controller is idle
  journal.save(id, 'restoring', { phase: 'cleaning', undo: null });
  let begun = false;
  try {
    await controller.idle();
    const alive = (await controller.refresh())?.alive ?? false;
    if (alive || !['stopped', 'crashed'].includes(controller.power()))
      throw new BackupError('server_still_running');
    begun = true;
    const restore = (folder: string) =>
      restoreFiles({
        ...{ engine, job, source_id, sha256, journal, folder, disk_mb, inside },
        undo: context.backups.undo,
        uid: uidFor(stored.uid),
      });
    const restored = await filesOf(controller).hold('backup_restore', () =>
      context.disks.withFolder(id, disk_mb, restore),
    );
    // their files are those of another time
    await filesOf(controller).use(({ tree }) => forgetChanges(tree), { changes: true });
    return restored;
  } finally {
    // what was begun and could not be brought in order stays in the journal (`settleBackups`)
    if (!begun) journal.remove(id, 'restoring');
  }
}
