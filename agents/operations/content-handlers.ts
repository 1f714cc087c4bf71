import type { OperationInput, OperationOutput } from '#control/protocol/agent.ts';
import { contentOperations } from '#control/protocol/content.ts';
import { type Applying, applyContent, resultOf } from '../content/apply.ts';
import { stateOf, undoContent, undoneResult } from '../content/undo.ts';
import type { Access } from '../files/access.ts';
import type { ChangeState } from '../files/content-changes.ts';
import { FileError } from '../files/file-error.ts';
import { filesOf } from '../files/server-files.ts';
import type { ServerController } from '../server/controller.ts';
import type { OperationHandler, OperationHandlers } from '../server/operation-handler.ts';
import { cancelContent, settleContent, whileRunning } from './settle-content.ts';

type Kind = 'content_apply' | 'content_undo';

interface Action<K extends Kind> {
  run(access: Access, args: OperationInput<K>, applying: Applying): Promise<OperationOutput<K>>;
  /** What it did, when it was over before the agent ended; null when everything is as before. */
  doneBefore(access: Access, args: OperationInput<K>, op_id: string): Promise<OperationOutput<K> | null>;
}

const long = { takes: 'long', changes: true } as const;

/** The handler of one kind: what is refused ends it as `failed` with `{ error: code, data }`. */
const handlerOf = <K extends Kind>(kind: K, { run, doneBefore }: Action<K>): OperationHandler<K> => ({
  input: contentOperations[kind].input as OperationHandler<K>['input'],
  // neither beside another change nor beside a backup or restore
  bypasses_lock: false,
  async run(controller, args, op_id) {
    try {
      await assertInOrder(controller);
      const result = await whileRunning(controller, op_id, (signal, release) =>
        inJournal(controller, (onExchange) =>
          filesOf(controller).use((access) => {
            const { context, id } = controller;
            const onProgress: Applying['onProgress'] = (done, total) =>
              context.onProgress(id, op_id, done, total);
            const begin = async (): Promise<void> => {
              if (signal.aborted) throw new FileError('change_canceled');
              release();
              await onExchange();
            };
            return run(access, args, { op_id, signal, onProgress, onExchange: begin });
          }, long),
        ),
      );
      return { state: 'done', result };
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      return { state: 'failed', result: { error: error.code, data: error.data } };
    }
  },
  async onInterrupted(controller, args, op_id) {
    await settleContent(controller);
    const result = await filesOf(controller)
      .use((access) => doneBefore(access, args, op_id))
      .catch((error) => {
        controller.context.log.warn(
          { server_id: controller.id, op_id, err: error },
          'What became of a change is not known',
        );
        return null;
      });
    return result ? { state: 'done', result } : { state: 'interrupted', result: { error: 'interrupted' } };
  },
  onEnd: (controller) => void settleContent(controller).then(() => controller.reconcile()),
});

/** A change or restore that was cut off is brought in order first. Refuses `server_busy`. */
async function assertInOrder(controller: ServerController): Promise<void> {
  const { id, context } = controller;
  await settleContent(controller);
  const { journal } = context.store;
  if (journal.find(id, 'restoring')) throw new FileError('server_busy', { by: 'backup_restore' });
  if (journal.find(id, 'changing')) throw new FileError('server_busy', { by: 'content_apply' });
}

/**
 * The journal says that a change is under way: from its exchange on the server does not start. What could not be brought in
 * order stays in it (`settleContent`).
 */
async function inJournal<T>(
  controller: ServerController,
  work: (onExchange: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const { id, context } = controller;
  const { journal } = context.store;
  journal.save(id, 'changing', { phase: 'fetching' });
  const result = await work(async () => {
    journal.save(id, 'changing', { phase: 'exchanging' });
    // a start that was planned before
    await controller.idle();
  });
  journal.remove(id, 'changing');
  return result;
}

const stateIs = (state: ChangeState | null, phase: ChangeState['phase']): ChangeState | null =>
  state?.phase === phase ? state : null;

/** Operations on content. */
export const contentHandlers: Pick<OperationHandlers, keyof typeof contentOperations> = {
  content_apply: handlerOf('content_apply', {
    run: applyContent,
    async doneBefore(access, args, op_id) {
      const state = stateIs(await stateOf(access, op_id), 'done');
      return state && (await resultOf(access, args, state));
    },
  }),
  content_undo: handlerOf('content_undo', {
    run: undoContent,
    async doneBefore(access, args) {
      const state = stateIs(await stateOf(access, args.change_id), 'undone');
      return state && (await undoneResult(access, args, state));
    },
  }),
  content_cancel: {
    input: contentOperations.content_cancel.input,
    bypasses_lock: true,
    run: async (controller, { op_id }) => ({
      state: 'done',
      result: { was_running: cancelContent(controller, op_id) },
    }),
    onInterrupted: async () => ({ state: 'done', result: { was_running: false } }),
    onEnd: () => {},
  },
};
