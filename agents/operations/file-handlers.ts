import type { OperationInput, OperationOutput } from '#control/protocol/agent.ts';
import { agentFileOperations, fileOperations } from '#control/protocol/files.ts';
import type { Access } from '../files/access.ts';
import { copyFiles } from '../files/copy.ts';
import { createEntry } from '../files/create.ts';
import { eraseFiles, uneraseFiles } from '../files/erase.ts';
import { fetchFile } from '../files/fetch.ts';
import { FileError } from '../files/file-error.ts';
import { deleteFiles, moveFiles, restoreFiles } from '../files/move.ts';
import type { OnProgress } from '../files/progress.ts';
import { filesOf } from '../files/server-files.ts';
import { purgeTrash } from '../files/trash.ts';
import { unpackArchive } from '../files/unpack.ts';
import type { OperationHandler, OperationHandlers } from '../server/operation-handler.ts';

type Kind = keyof typeof fileOperations;
type Run<K extends Kind> = (
  access: Access,
  args: OperationInput<K>,
  onProgress: OnProgress,
) => Promise<OperationOutput<K>>;

/** The handler of one kind: what is refused ends it as `failed` with `{ error: code, data }`. */
const handlerOf = <K extends Kind>(kind: K, run: Run<K>): OperationHandler<K> => ({
  input: fileOperations[kind].input as OperationHandler<K>['input'],
  // each of them is short or works beside everything else until its last step
  bypasses_lock: true,
  async run(controller, args, op_id) {
    const { context, id } = controller;
    const onProgress: OnProgress = (done, total) => context.onProgress(id, op_id, done, total);
    try {
      const how = { takes: 'long', changes: true, op_id } as const;
      const result = await filesOf(controller).use((access) => run(access, args, onProgress), how);
      return { state: 'done', result };
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      return { state: 'failed', result: { error: error.code, data: error.data } };
    }
  },
  // what it had not moved to its place is removed before the next request
  onInterrupted: async () => ({ state: 'interrupted', result: {} }),
  onEnd: () => {},
});

/** Operations on files. */
export const fileHandlers: Pick<OperationHandlers, Kind | 'file_cancel'> = {
  file_create: handlerOf('file_create', createEntry),
  file_move: handlerOf('file_move', moveFiles),
  file_copy: handlerOf('file_copy', copyFiles),
  file_delete: handlerOf('file_delete', deleteFiles),
  file_restore: handlerOf('file_restore', restoreFiles),
  file_purge: handlerOf('file_purge', ({ tree }, { trash_ids }) => purgeTrash(tree, trash_ids)),
  file_erase: handlerOf('file_erase', eraseFiles),
  file_unerase: handlerOf('file_unerase', uneraseFiles),
  file_unpack: handlerOf('file_unpack', unpackArchive),
  file_fetch: handlerOf('file_fetch', fetchFile),
  file_cancel: {
    input: agentFileOperations.file_cancel.input,
    bypasses_lock: true,
    run: async (controller, { op_id }) => ({
      state: 'done',
      result: { was_running: filesOf(controller).cancel(op_id) },
    }),
    onInterrupted: async () => ({ state: 'done', result: { was_running: false } }),
    onEnd: () => {},
  },
};
