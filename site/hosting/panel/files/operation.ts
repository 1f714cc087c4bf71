import { type ApiResult, offline } from '../../../platform/browser/api-client.ts';
import type { Message, Result } from '../../shared/request.ts';
import { requestFromPanel } from '../core/open-panel.ts';
import { $connection, $operation } from '../core/panel.store.ts';
import { isGoingOn } from './folder.ts';

/** Operations on files: each is done at most once, however often its request has to be sent. */

type FileOperation =
  `files.${'create' | 'move' | 'copy' | 'delete' | 'restore' | 'purge' | 'unpack' | 'fetch'}`;
type OperationResult<E extends FileOperation> =
  Result<E> extends { result: infer R } ? NonNullable<R> : never;

/** How long an answer is waited for while the connection is lost. */
const patience_ms = 60_000;
/** How often a lost event is asked for. */
const ask_ms = 5_000;

/** A function that has the agent do something and gives its result, however long it takes. */
export function operation<E extends FileOperation>(
  event: E,
  message: Omit<Message<E>, 'server_id' | 'op_id'>,
): { op_id: string; send(): Promise<ApiResult<OperationResult<E>>> } {
  const op_id = crypto.randomUUID();
  return {
    op_id,
    async send() {
      if ($connection.get() !== 'open') return offline;
      for (;;) {
        const answer = await requestFromPanel(event, { ...message, op_id } as never);
        if (answer.ok) {
          const { result } = answer.data as unknown as { result: OperationResult<E> | null };
          return result ? { ok: true, data: result } : await endOf(op_id);
        }
        // the same id again is the same operation, or its result
        if (answer.error.status !== 0 || !(await isBack())) return answer;
      }
    },
  };
}

/** Whether somebody canceled it: its line says so, and no toast is needed. */
export const isCanceled = ({ code }: { code: string }): boolean => code === 'operation_canceled';

/** Whether the connection is open, or is again soon. */
function isBack(): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => end(false), patience_ms);
    const end = (open: boolean) => {
      clearTimeout(timer);
      queueMicrotask(() => stop());
      resolve(open);
    };
    const stop = $connection.subscribe((line) => {
      if (line === 'open') end(true);
      if (line === 'gone') end(false);
    });
  });
}

/** The end of an operation, by its event, or by asking when that was lost. */
function endOf<T>(op_id: string): Promise<ApiResult<T>> {
  return new Promise((resolve) => {
    const look = (view: typeof $operation.value) => {
      if (view?.op_id !== op_id || isGoingOn(view.state)) return;
      clearInterval(timer);
      stop();
      if (view.state === 'done') return resolve({ ok: true, data: view.result as T });
      const { code, description } = view.error ?? { code: 'operation_failed', description: '' };
      resolve({ ok: false, error: { status: 400, code, description, details: {} } });
    };
    const stop = $operation.listen(look);
    const timer = setInterval(async () => {
      if ($connection.get() === 'gone') return look({ op_id, kind: '', state: 'failed' } as never);
      const answer = await requestFromPanel('server.operation', { op_id });
      if (answer.ok) look(answer.data.operation);
    }, ask_ms);
  });
}
