import type { OperationInput, OperationOutput } from '#control/protocol/agent.ts';
import { backupOperations } from '#control/protocol/backups.ts';
import type { BackupEngine, BackupJob } from '../backups/backup-engine.ts';
import { BackupError } from '../backups/error.ts';
import { putContent } from '../backups/put.ts';
import { verifyBackup } from '../backups/verify.ts';
import { FileError } from '../files/file-error.ts';
import type { ServerController } from '../server/controller.ts';
import type { OperationHandler, OperationHandlers } from '../server/operation-handler.ts';
import { restoreServer } from './restore-server.ts';
import { withSavingOff } from './saving.ts';
import { settleBackups } from './settle-backups.ts';

type Kind = Exclude<keyof typeof backupOperations, 'backup_cancel'>;
interface Action {
  controller: ServerController;
  engine: BackupEngine;
  job: BackupJob;
}
type Run<K extends Kind> = (action: Action, args: OperationInput<K>) => Promise<OperationOutput<K>>;

/** How much there is to read: what is known without reading it. */
async function totalOf(kind: Kind, controller: ServerController): Promise<number | null> {
  if (kind !== 'backup_create') return null;
  return Math.round((await controller.context.usedMb(controller.id)) * 1024 * 1024);
}

/** The handler of one kind: what fails with a known reason ends it as `failed` with `{ error: code, data }`. */
const handlerOf = <K extends Kind>(
  kind: K,
  run: Run<K>,
  options: {
    heavy: boolean;
    /** It may run beside another operation: a download can take hours. */
    bypasses_lock?: boolean;
    onInterrupted?(action: Action): Promise<unknown>;
  },
): OperationHandler<K> => ({
  input: backupOperations[kind].input as OperationHandler<K>['input'],
  bypasses_lock: options.bypasses_lock ?? false,
  async run(controller, args, op_id) {
    const { context, id } = controller;
    const total = await totalOf(kind, controller).catch(() => null);
    const onProgress = (done: number) =>
      context.onProgress(id, op_id, total === null ? done : Math.min(done, total), total);
    onProgress(0);
    const { heavy } = options;
    try {
      // what an earlier restore left must be in order before anything reads or replaces files
      await settleBackups(controller);
      if (context.store.journal.find(id, 'restoring') !== null)
        throw new BackupError('server_busy', 'backup_restore');
      const result = await context.backups.run({ op_id, server_id: id, heavy }, (signal) =>
        run(actionOf(controller, args, { signal, onProgress }), args),
      );
      return { state: 'done', result };
    } catch (error) {
      if (!(error instanceof BackupError || error instanceof FileError)) throw error;
      context.log.warn({ server_id: id, op_id, kind, err: error }, 'An operation on a backup failed');
      return { state: 'failed', result: { error: error.code, data: error.data } };
    }
  },
  async onInterrupted(controller, args) {
    const { signal } = new AbortController();
    const action = actionOf(controller, args, { signal, onProgress: () => {} });
    await settleBackups(controller);
    await options
      .onInterrupted?.(action)
      .catch((error) =>
        controller.context.log.warn({ server_id: controller.id, err: error }, 'Remains of a backup are left'),
      );
    return { state: 'interrupted', result: { error: 'interrupted' } };
  },
  // after a restore it may start again
  onEnd: (controller) => void settleBackups(controller).then(() => controller.reconcile()),
});

function actionOf(
  controller: ServerController,
  { backup_id, engine, target }: OperationInput<'backup_delete'>,
  rest: Pick<BackupJob, 'signal' | 'onProgress'>,
): Action {
  const job = { backup_id, target, server_id: controller.id, ...rest };
  return { controller, engine: controller.context.backups.engine(engine), job };
}

/** Operations on backups. */
export const backupHandlers: Pick<OperationHandlers, keyof typeof backupOperations> = {
  backup_create: handlerOf(
    'backup_create',
    async ({ controller, engine, job }, { max_bytes }) => {
      const { context, id, stored } = controller;
      const { disk_mb = 0, game_version = '', loader = null } = stored?.spec ?? {};
      return await context.disks.withFolder(id, disk_mb, (folder) =>
        withSavingOff(controller, job.signal, () =>
          engine.create(job, folder, { game_version, loader }, max_bytes),
        ),
      );
    },
    { heavy: true, onInterrupted: ({ engine, job }) => engine.delete(job) },
  ),
  backup_restore: handlerOf(
    'backup_restore',
    ({ controller, engine, job }, args) => restoreServer(controller, engine, job, args),
    { heavy: true },
  ),
  backup_verify: handlerOf(
    'backup_verify',
    ({ controller, engine, job }, { sha256 }) =>
      verifyBackup(controller.context.backups, engine, job, sha256),
    { heavy: true },
  ),
  backup_delete: handlerOf(
    'backup_delete',
    async ({ engine, job }) => {
      await engine.delete(job);
      return {};
    },
    { heavy: false },
  ),
  backup_send: handlerOf(
    'backup_send',
    async ({ controller: { context }, engine, job }, { put }) => ({
      bytes: await (context.transfers.sinkAt(put)?.(counted(job, engine), job.signal) ??
        putContent({ url: context.url(), path: put }, counted(job, engine), job.signal)),
    }),
    { heavy: false, bypasses_lock: true },
  ),
  backup_cancel: {
    input: backupOperations.backup_cancel.input,
    bypasses_lock: true,
    run: async ({ context }, { op_id }) => ({
      state: 'done',
      result: { was_running: context.backups.cancel(op_id) },
    }),
    onInterrupted: async () => ({ state: 'done', result: { was_running: false } }),
    onEnd: () => {},
  },
};

async function* counted(job: BackupJob, engine: BackupEngine): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of engine.read(job)) {
    bytes += chunk.length;
    job.onProgress(bytes);
    yield chunk;
  }
}
