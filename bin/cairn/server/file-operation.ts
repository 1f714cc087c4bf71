import { setTimeout } from 'node:timers/promises';
import type { PanelRequests } from '#control/protocol/browser.ts';
import { cancellableKinds } from '#db/hosting/servers/files/rules.ts';
import { UserError } from '../../user-error.ts';
import type { ControlClient, Message, ResponseOf } from '../control-client.ts';

const poll_ms = 1_000;

/** The requests that are operations on files; other operations are steps of a change. */
export type FileRequest = Extract<
  keyof PanelRequests,
  `files.${'create' | 'move' | 'copy' | 'delete' | 'restore' | 'purge' | 'unpack' | 'fetch'}`
>;
/** What an operation gives at its end. */
export type FileResult<E extends FileRequest> =
  ResponseOf<PanelRequests, E> extends { result: infer R } ? NonNullable<R> : never;

interface Target {
  server_id: string;
  op_id: string;
}

/**
 * Runs an operation on files and gives its result, however long it takes; how far it is is written to standard error. The same
 * operation is never run twice, also when the connection is lost. A refusal ends the command with its text. Ctrl+C cancels what
 * can be canceled.
 */
export async function runFileOperation<E extends FileRequest>(
  { request }: Pick<ControlClient, 'request'>,
  event: E,
  message: Message<PanelRequests, E> & Target,
): Promise<FileResult<E>> {
  const { server_id, op_id }: Target = message;
  const cancel = () =>
    void request('files.cancel', { server_id, op_id }).catch((error) => console.error(error.message));
  const isCancellable = cancellableKinds.includes(event.replace('files.', 'file_'));
  if (isCancellable) process.once('SIGINT', cancel);
  try {
    const { result } = (await request(event, message)) as unknown as { result: FileResult<E> | null };
    if (result !== null) return result;
    if (isCancellable) console.error(`To cancel it: cairn server files cancel ${server_id} ${op_id}`);
    return (await endOf(request, { server_id, op_id })) as FileResult<E>;
  } finally {
    process.off('SIGINT', cancel);
  }
}

/** Cancels an operation on files, and gives how it ended: `canceled`, or another end that came first. */
export async function cancelFileOperation(
  { request }: Pick<ControlClient, 'request'>,
  target: Target,
): Promise<string> {
  await request('files.cancel', target);
  for (;;) {
    const { operation } = await request('server.operation', target);
    if (operation.error?.code === 'operation_canceled') return 'canceled';
    if (operation.error || operation.state === 'done') return operation.state;
    await setTimeout(poll_ms);
  }
}

/** Waits for the end of an operation and gives its result. */
async function endOf(request: ControlClient['request'], target: Target): Promise<unknown> {
  let said = '';
  for (;;) {
    const { operation } = await request('server.operation', target);
    if (operation.error) throw new UserError(operation.error.description);
    if (operation.state === 'done') return operation.result;
    const { done = 0, total = null } = operation.progress ?? {};
    const text = total ? `${percentOf(done, total)} %` : '';
    if (text !== said) console.error(text);
    said = text;
    await setTimeout(poll_ms);
  }
}

/** In steps of ten, so that a log stays short. */
export const percentOf = (done: number, total: number): number =>
  Math.min(100, Math.floor((done / total) * 10) * 10);
