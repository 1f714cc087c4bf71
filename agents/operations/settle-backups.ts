import { Swap } from '../backups/swap.ts';
import { uidFor } from '../disk/folders.ts';
import type { ServerController } from '../server/controller.ts';
import { turnSavingOn } from './saving.ts';

const settling = new WeakMap<ServerController, Promise<void>>();

/**
 * Brings a server in order after a backup or restore that was cut off: saving is on again, its old files are back. Called
 * again and again until that worked; before, a server whose files are incomplete does not start.
 */
export function settleBackups(controller: ServerController): Promise<void> {
  const { context, id } = controller;
  const { journal } = context.store;
  const isOpen = journal.find(id, 'saving_off') !== null || journal.find(id, 'restoring') !== null;
  if (!isOpen || context.backups.isActive(id)) return Promise.resolve();
  const running = settling.get(controller) ?? settle(controller).finally(() => settling.delete(controller));
  settling.set(controller, running);
  return running;
}

async function settle(controller: ServerController): Promise<void> {
  const { context, id } = controller;
  try {
    await turnSavingOn(controller);
    if (context.store.journal.find(id, 'restoring') === null) return;
    await recoverFiles(controller);
    controller.reconcile();
  } catch (error) {
    context.log.error(
      { server_id: id, err: error },
      'A server is not in order after a backup or restore; trying again',
    );
  }
}

/** Brings the files of a server back that a restore was replacing. */
async function recoverFiles({ context, id, stored }: ServerController): Promise<void> {
  if (!stored?.spec) return;
  const { uid, spec } = stored;
  const inside = context.kindOf(spec)?.data_dir ?? '/data';
  await context.disks.withFolder(id, spec.disk_mb, async (folder) => {
    const into = { folder, uid: uidFor(uid), limit: Number.MAX_SAFE_INTEGER, inside };
    await new Swap(folder, context.store.journal, id).recover((archive) =>
      context.backups.undo.unpack(archive, into),
    );
  });
}
